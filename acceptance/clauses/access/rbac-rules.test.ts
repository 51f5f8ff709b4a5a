import { createUnionAuthorizer, createWebhookAuthorizer, withPrivilegedGroup } from '@ashlar/authz';
import { createManualClock, createSeededRandom } from '@ashlar/testing';
import { expect } from 'vitest';
import { CONFIG_MAPS, MERGE_PATCH, SECRETS } from '../clause-server.fixture.ts';
import { eventually } from '../eventually.fixture.ts';
import { forEachAccess, rule } from './access-server.fixture.ts';
import { createAccessServer } from './create-access-server.fixture.ts';
import { ReviewWebhook } from './webhook.fixture.ts';

const OTHER_MAPS = '/api/v1/namespaces/b/configmaps';

forEachAccess('Rules of RBAC', (test) => {
  test('A029: permissions add up, and none denies', async ({ access, paths }) => {
    await access.allow('reading', [rule('get,list', 'configmaps')]);
    await access.allow('writing', [rule('create', 'configmaps')]);
    expect(await access.al.post(CONFIG_MAPS, { metadata: { name: 'x' } })).toMatchObject({ status: 201 });
    expect(await access.al.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
    await access.allow('less', [rule('list', 'configmaps', { resourceNames: ['y'] })]);
    expect(await access.al.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
    await access.root.delete(`${paths.rbac}/namespaces/a/rolebindings/reading`);
    expect(await access.al.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 403 });
  });

  test('A030: names are path segments', async ({ access, paths }) => {
    const roleRef = { kind: 'ClusterRole', name: 'view' };
    const collections = [
      'namespaces/a/roles',
      'clusterroles',
      'namespaces/a/rolebindings',
      'clusterrolebindings',
    ];
    for (const collection of collections) {
      const post = (name: string) =>
        access.root.post(`${paths.rbac}/${collection}`, { metadata: { name }, roleRef });
      for (const name of ['Team:Readers', 'a b', 'x_y', '...'])
        expect(await post(name)).toMatchObject({ status: 201 });
      for (const name of ['.', '..', 'a/b', 'a%b']) expect(await post(name)).toMatchObject({ status: 422 });
    }
  });

  test('A031: the role of a binding is immutable', async ({ access, paths }) => {
    const path = `${paths.rbac}/namespaces/a/rolebindings`;
    const subjects = [{ kind: 'User', name: 'al' }];
    const before = { metadata: { name: 'b' }, roleRef: { kind: 'ClusterRole', name: 'view' }, subjects };
    const after = { ...before, roleRef: { kind: 'ClusterRole', name: 'edit' } };
    await access.root.post(path, before);
    const refused = await access.root.put(`${path}/b`, after);
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.body.message).toContain('cannot change roleRef');
    expect(await access.root.patch(`${path}/b`, MERGE_PATCH, { roleRef: { kind: 'Role' } })).toMatchObject({
      status: 422,
    });
    expect(await access.root.put(`${path}/b`, { ...before, subjects: [] })).toMatchObject({ status: 200 });
    await access.root.delete(`${path}/b`);
    expect(await access.root.post(path, after)).toMatchObject({ status: 201 });
  });

  test('A032: a binding of a namespace refers to a role of that namespace', async ({ access, paths }) => {
    const role = { metadata: { name: 'reader' }, rules: [rule('list', 'configmaps')] };
    await access.root.post(`${paths.rbac}/namespaces/b/roles`, role);
    const binding = {
      metadata: { name: 'reader' },
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', name: 'al' }],
    };
    for (const namespace of ['a', 'b'])
      await access.root.post(`${paths.rbac}/namespaces/${namespace}/rolebindings`, binding);
    expect(await access.al.get(OTHER_MAPS)).toMatchObject({ status: 200 });
    expect(await access.al.get(CONFIG_MAPS)).toMatchObject({ status: 403 });
  });

  test('A032: a cluster role applies in the namespace of its binding', async ({ access, paths }) => {
    await access.root.post(`${paths.rbac}/clusterroles`, {
      metadata: { name: 'reader' },
      rules: [
        rule('list', 'configmaps'),
        rule('get', 'namespaces'),
        { verbs: ['get'], nonResourceURLs: ['*'] },
      ],
    });
    const binding = {
      metadata: { name: 'reader' },
      roleRef: { kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'User', name: 'al' }],
    };
    await access.root.post(`${paths.rbac}/namespaces/a/rolebindings`, binding);
    expect(await access.al.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    for (const path of [OTHER_MAPS, '/api/v1/configmaps', '/api/v1/namespaces/b', '/metrics'])
      expect(await access.al.get(path)).toMatchObject({ status: 403 });
    await access.root.post(`${paths.rbac}/clusterrolebindings`, binding);
    for (const path of [OTHER_MAPS, '/api/v1/configmaps', '/api/v1/namespaces/b', '/metrics'])
      expect(await access.al.get(path)).toMatchObject({ status: 200 });
  });

  test('A033: names do not restrict create and deletecollection', async ({ access }) => {
    const verbs = 'create,deletecollection,get,update,delete';
    await access.allow('named', [rule(verbs, 'configmaps', { resourceNames: ['x'] })]);
    expect(await access.al.post(CONFIG_MAPS, { metadata: { name: 'x' } })).toMatchObject({ status: 403 });
    await access.root.post(CONFIG_MAPS, { metadata: { name: 'x' } });
    expect(await access.al.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
    expect(await access.al.delete(CONFIG_MAPS)).toMatchObject({ status: 403 });
    const selected = `${CONFIG_MAPS}?fieldSelector=metadata.name%3Dx`;
    expect(await access.al.delete(selected)).toMatchObject({ status: 403 });
    expect(await access.al.delete(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
  });

  test('A033: names restrict lists and watches that select the name', async ({ access }) => {
    await access.allow('named', [rule('list,watch', 'configmaps', { resourceNames: ['x'] })]);
    for (const name of ['x', 'y']) await access.root.configMap(name);
    const selecting = (name: string): string => `${CONFIG_MAPS}?fieldSelector=metadata.name%3D${name}`;
    const { status, body } = await access.al.get(selecting('x'));
    expect([status, body.items.map(({ metadata }) => metadata.name)]).toEqual([200, ['x']]);
    await using watch = await access.al.watch(`${selecting('x')}&watch=1`);
    expect(await watch.types(1)).toEqual(['ADDED x']);
    for (const path of [CONFIG_MAPS, selecting('y')]) {
      expect(await access.al.get(path)).toMatchObject({ status: 403 });
      expect(await access.al.get(`${path}${path.includes('?') ? '&' : '?'}watch=1`)).toMatchObject({
        status: 403,
      });
    }
  });

  test('A035: a service account is a user of its namespace and name, in two groups', async ({
    access,
    paths,
  }) => {
    const path = `${paths.authentication}/selfsubjectreviews`;
    const { body } = await access.as(await access.accountToken('robot')).post(path, {});
    expect(body.status).toMatchObject({
      userInfo: {
        username: 'system:serviceaccount:a:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
      },
    });
  });

  test('A035: names of system users and groups begin with system:', async ({ access, paths }) => {
    const { items } = (await access.root.get(`${paths.rbac}/clusterroles`)).body;
    const others = items.map(({ metadata: { name } }) => name).filter((name) => !name.startsWith('system:'));
    expect(others.sort()).toEqual(['admin', 'cluster-admin', 'edit', 'view']);
    const bindings = (await access.root.get(`${paths.rbac}/clusterrolebindings`)).body.items;
    const subjects = bindings.flatMap(({ subjects: list = [] }) => list as { readonly name: string }[]);
    const groups = subjects.filter((subject) => 'kind' in subject && subject.kind === 'Group');
    expect(groups.length).toBeGreaterThan(0);
    for (const { name } of groups) expect(name).toMatch(/^system:/);
  });

  test('A036: users cannot write a role with permissions that they do not have there', async ({
    access,
    paths,
  }) => {
    const inA = `${paths.rbac}/namespaces/a/roles`;
    const roles = rule('create,update,patch,get', 'roles', { apiGroups: ['*'] });
    await access.allowEverywhere('writer', [roles]);
    await access.allow('holder', [rule('get,list', 'configmaps')]);
    const role = (...rules: object[]) => ({ metadata: { name: 'r' }, rules });
    const held = role(rule('get', 'configmaps', { resourceNames: ['x'] }));
    for (const more of [rule('delete', 'configmaps'), rule('get', 'secrets'), rule('*', 'configmaps')]) {
      const refused = await access.al.post(inA, role(more));
      expect(refused).toMatchObject({ status: 403 });
      expect(refused.body.message).toContain('attempting to grant RBAC permissions not currently held');
    }
    expect(await access.al.post(inA, held)).toMatchObject({ status: 201 });
    expect(await access.al.post(`${paths.rbac}/namespaces/b/roles`, held)).toMatchObject({ status: 403 });
    expect(await access.al.put(`${inA}/r`, role(rule('delete', 'configmaps')))).toMatchObject({
      status: 403,
    });
    await access.allow('escalator', [rule('escalate', 'roles', { apiGroups: ['*'], resourceNames: ['r'] })]);
    expect(await access.al.put(`${inA}/r`, role(rule('delete', 'configmaps')))).toMatchObject({
      status: 200,
    });
  });

  test('A036: users cannot bind a role with permissions that they do not have', async ({ access, paths }) => {
    const inA = `${paths.rbac}/namespaces/a/rolebindings`;
    await access.allow('writer', [rule('create,update,get', 'rolebindings', { apiGroups: ['*'] })]);
    for (const [name, resource] of [
      ['maps', 'configmaps'],
      ['secrets', 'secrets'],
    ] as const)
      await access.root.post(`${paths.rbac}/namespaces/a/roles`, {
        metadata: { name },
        rules: [rule('get', resource)],
      });
    const binding = (name: string) => ({
      metadata: { name },
      roleRef: { kind: 'Role', name },
      subjects: [{ kind: 'User', name: 'bo' }],
    });
    await access.allow('holder', [rule('get', 'configmaps')]);
    expect(await access.al.post(inA, binding('maps'))).toMatchObject({ status: 201 });
    const refused = await access.al.post(inA, binding('secrets'));
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.body.message).toContain('attempting to grant RBAC permissions not currently held');
    await access.root.post(inA, binding('secrets'));
    const wider = { ...binding('secrets'), subjects: [{ kind: 'User', name: 'al' }] };
    expect(await access.al.put(`${inA}/secrets`, wider)).toMatchObject({ status: 403 });
    expect(await access.al.get(`${SECRETS}/s`)).toMatchObject({ status: 403 });
    await access.allow('binder', [rule('bind', 'roles', { apiGroups: ['*'], resourceNames: ['secrets'] })]);
    expect(await access.al.put(`${inA}/secrets`, wider)).toMatchObject({ status: 200 });
    expect(await access.al.get(`${SECRETS}/s`)).toMatchObject({ status: 404 });
  });

  test('A048: members of system:masters have no restrictions', async ({ vocabulary }) => {
    const webhook = new ReviewWebhook(() => ({ status: { allowed: false, denied: true } }));
    const denying = createWebhookAuthorizer({
      ambient: { clock: createManualClock(), random: createSeededRandom(4), vocabulary },
      transport: webhook,
      url: 'https://webhook.example/review',
      version: 'v1',
    });
    await using server = await createAccessServer(vocabulary, {
      authorizer: ({ rbac }) => withPrivilegedGroup(createUnionAuthorizer([denying, rbac()])),
    });
    await server.allowEverywhere('everything', [rule('*', '*', { apiGroups: ['*'] })]);
    expect(webhook.asked).toEqual([]);
    expect(await server.root.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    expect(await server.al.get(CONFIG_MAPS)).toMatchObject({ status: 403 });
    expect(webhook.asked).toHaveLength(1);
  });
});

forEachAccess(
  'Rules of RBAC that controllers hold',
  (test) => {
    test('A034: an aggregated role has the rules of others, and loses its own', async ({ access, paths }) => {
      const path = `${paths.rbac}/clusterroles`;
      const labels = { 'example.com/to-all': 'true' };
      const part = (name: string, resource: string) => ({
        metadata: { name, labels },
        rules: [rule('get', resource)],
      });
      const rulesOf = async (): Promise<unknown> => (await access.root.get(`${path}/all`)).body.rules;
      await access.root.post(path, {
        metadata: { name: 'all' },
        rules: [rule('delete', 'events')],
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
      });
      await access.root.post(path, part('first', 'configmaps'));
      await access.root.post(path, part('second', 'secrets'));
      await access.root.post(path, { metadata: { name: 'other' }, rules: [rule('get', 'pods')] });
      const both = [rule('get', 'configmaps'), rule('get', 'secrets')];
      await eventually(async () => expect(await rulesOf()).toEqual(both));
      await access.root.patch(`${path}/all`, MERGE_PATCH, { rules: [rule('*', '*')] });
      await eventually(async () => expect(await rulesOf()).toEqual(both));
      await access.root.patch(`${path}/first`, MERGE_PATCH, { metadata: { labels: null } });
      await eventually(async () => expect(await rulesOf()).toEqual([rule('get', 'secrets')]));
    });
  },
  () => ({ controllers: true }),
);
