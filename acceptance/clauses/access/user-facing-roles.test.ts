import { expect } from 'vitest';
import { CONFIG_MAPS, SECRETS } from '../clause-server.fixture.ts';
import { eventually } from '../eventually.fixture.ts';
import { type AccessServer, forEachAccess, rightsOf, rule } from './access-server.fixture.ts';

const READING = ['get', 'list', 'watch'];
const WRITING = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const each = (verbs: readonly string[], ...resources: readonly string[]): readonly string[] =>
  resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`));

/** Much of the content of a namespace. */
const ORDINARY = [
  'pods',
  'services',
  'configmaps',
  'deployments.apps',
  'jobs.batch',
  'ingresses.networking.',
];
const ROLES = ['roles.rbac.authorization.', 'rolebindings.rbac.authorization.'];
const QUOTAS = ['resourcequotas', 'limitranges'];

forEachAccess(
  'User-facing roles',
  (test) => {
    /** Waits for the rules that a role aggregates, and grants them to `al` in the namespace `a`. */
    async function bind({ root }: AccessServer, rbac: string, name: string): Promise<void> {
      const rules = async () =>
        (await root.get(`${rbac}/clusterroles/${name}`)).body.rules as unknown[] | null;
      await eventually(async () => expect((await rules())?.length).toBeGreaterThan(8));
      await root.post(`${rbac}/namespaces/a/rolebindings`, {
        metadata: { name },
        roleRef: { kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', name: 'al' }],
      });
    }

    test('A042: an admin may do everything in a namespace, except to it and its quotas', async ({
      access,
      paths,
      vocabulary,
    }) => {
      const may = [
        ...each([...READING, ...WRITING], ...ORDINARY, ...ROLES, 'secrets'),
        ...each(READING, 'namespaces', ...QUOTAS),
      ];
      const not = each(WRITING, 'namespaces', ...QUOTAS);
      await bind(access, paths.rbac, 'admin');
      await eventually(async () =>
        expect(await rightsOf(access.al, vocabulary, [...may, ...not])).toEqual(may),
      );
      const refused = await access.al.get('/api/v1/namespaces/b/configmaps');
      expect(refused).toMatchObject({ status: 403 });
    });

    test('A042: an admin can grant only permissions that they have', async ({ access, paths }) => {
      await bind(access, paths.rbac, 'admin');
      await bind(access, paths.rbac, 'view');
      const path = `${paths.rbac}/namespaces/a/rolebindings`;
      const binding = (name: string) => ({
        metadata: { name: `bo-${name}` },
        roleRef: { kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', name: 'bo' }],
      });
      await eventually(async () =>
        expect(await access.al.post(path, binding('view'))).toMatchObject({ status: 201 }),
      );
      expect(await access.as('bo').get(CONFIG_MAPS)).toMatchObject({ status: 200 });
      expect(await access.al.post(path, binding('cluster-admin'))).toMatchObject({ status: 403 });
    });

    test('A043: an editor may not access roles', async ({ access, paths, vocabulary }) => {
      const may = each([...READING, ...WRITING], ...ORDINARY, 'secrets');
      const not = [...each([...READING, ...WRITING], ...ROLES), ...each(WRITING, 'namespaces', ...QUOTAS)];
      await bind(access, paths.rbac, 'edit');
      await eventually(async () =>
        expect(await rightsOf(access.al, vocabulary, [...may, ...not])).toEqual(may),
      );
    });

    test('A044: a viewer may read, but neither roles nor secrets', async ({ access, paths, vocabulary }) => {
      const may = each(READING, ...ORDINARY, ...QUOTAS, 'namespaces');
      const not = [...each(WRITING, ...ORDINARY), ...each([...READING, ...WRITING], 'secrets', ...ROLES)];
      await bind(access, paths.rbac, 'view');
      expect(await rightsOf(access.al, vocabulary, [...may, ...not])).toEqual(may);
      expect(await access.al.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
      expect(await access.al.get(SECRETS)).toMatchObject({ status: 403 });
    });

    test.for([
      ['admin', ['admin']],
      ['edit', ['admin', 'edit']],
      ['view', ['admin', 'edit', 'view']],
    ] as const)(
      'A049: roles labelled for %s extend it',
      async ([to, extended], { access, paths, vocabulary }) => {
        const roles = `${paths.rbac}/clusterroles`;
        const label = `rbac.authorization.${vocabulary.groupDomain}/aggregate-to-${to}`;
        const role = (name: string, value: string, resource: string) => ({
          metadata: { name, labels: { [label]: value } },
          rules: [rule('get', resource, { apiGroups: ['example.com'] })],
        });
        await access.root.post(roles, role('other', 'false', 'gadgets'));
        const { body } = await access.root.post(roles, role('widgets', 'true', 'widgets'));
        const [added] = body.rules as unknown[];
        const having = async (): Promise<readonly string[]> => {
          const { items } = (await access.root.get(roles)).body;
          const collected = items.filter(({ aggregationRule, rules }) => {
            return aggregationRule && JSON.stringify(rules).includes(JSON.stringify(added));
          });
          return collected.map(({ metadata: { name } }) => name);
        };
        await eventually(async () => expect(await having()).toEqual(extended));
        expect(JSON.stringify((await access.root.get(`${roles}/admin`)).body.rules)).not.toContain('gadgets');
      },
    );

    test('A049: system roles have its prefix', async ({ access, paths }) => {
      const { items } = (await access.root.get(`${paths.rbac}/clusterroles`)).body;
      const names = items.map(({ metadata: { name } }) => name);
      expect(names).toContain('system:auth-delegator');
      expect(names.filter((name) => !name.startsWith('system:'))).toEqual([
        ...['admin', 'cluster-admin', 'edit', 'view'],
      ]);
    });
  },
  () => ({ controllers: true }),
);
