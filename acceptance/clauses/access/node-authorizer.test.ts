import { workloadResources } from '@ashlar/apis/workloads';
import { createUnionAuthorizer, withPrivilegedGroup } from '@ashlar/authz';
import { expect } from 'vitest';
import { CONFIG_MAPS, MERGE_PATCH, SECRETS } from '../clause-server.fixture.ts';
import { eventually } from '../eventually.fixture.ts';
import { type AccessServer, accessOptions, forEachAccess } from './access-server.fixture.ts';

const PODS = '/api/v1/namespaces/a/pods';
const CLAIMS = '/api/v1/namespaces/a/persistentvolumeclaims';
const NODES = '/api/v1/nodes';

/** A pod that references a secret, a ConfigMap and a claim of its own name. */
const pod = (name: string, nodeName: string) => ({
  metadata: { name },
  spec: {
    nodeName,
    containers: [{ name: 'c', image: 'i' }],
    volumes: [
      { name: 's', secret: { secretName: name } },
      { name: 'm', configMap: { name } },
      { name: 'c', persistentVolumeClaim: { claimName: name } },
    ],
  },
});

/** The node `n` with the pod `mine`, and the pod `theirs` on another; the responses to the node. */
async function nodeOf({ root, as }: AccessServer) {
  for (const name of ['n', 'm']) await root.post(NODES, { metadata: { name } });
  for (const [name, nodeName] of [
    ['mine', 'n'],
    ['theirs', 'm'],
  ] as const)
    expect(await root.post(PODS, pod(name, nodeName))).toMatchObject({ status: 201 });
  const node = as('system:node:n');
  const reading = (...paths: readonly string[]): Promise<number[]> =>
    Promise.all(paths.map(async (path) => (await node.get(path)).status));
  return { node, reading };
}

forEachAccess(
  'Node authorizer',
  (test) => {
    test('A145: a node reads services, endpoints, itself and its pods', async ({ access }) => {
      const { reading } = await nodeOf(access);
      expect(await reading('/api/v1/services', `${NODES}/n`, `${PODS}/mine`)).toEqual([200, 200, 200]);
      // allowed reads of missing objects are not found
      expect(await reading('/api/v1/namespaces/a/endpoints/e')).toEqual([404]);
    });

    test('A145: it reads no other node, nor pods of others', async ({ access }) => {
      const { reading } = await nodeOf(access);
      const selecting = [
        `${NODES}?fieldSelector=metadata.name%3Dn`,
        '/api/v1/pods?fieldSelector=spec.nodeName%3Dn',
      ];
      expect(await reading(...selecting)).toEqual([200, 200]);
      const others = [NODES, `${NODES}/m`, '/api/v1/pods', PODS, `${PODS}/theirs`];
      expect(await reading(...others)).toEqual(others.map(() => 403));
      expect(await reading(...selecting.map((path) => path.replace(/n$/, 'm')))).toEqual([403, 403]);
    });

    test('A145: it reads what its pods reference, and no other such objects', async ({ access }) => {
      const { reading } = await nodeOf(access);
      await access.root.configMap('mine');
      const volumes = '/api/v1/persistentvolumes';
      for (const [name, claim] of [
        ['volume', 'mine'],
        ['other', 'theirs'],
      ])
        await access.root.post(volumes, {
          metadata: { name },
          spec: {
            capacity: { storage: '1Gi' },
            accessModes: ['ReadWriteOnce'],
            hostPath: { path: '/data' },
            claimRef: { namespace: 'a', name: claim },
          },
        });
      const named = [`${CONFIG_MAPS}/mine`, `${CLAIMS}/mine`, `${SECRETS}/mine`, `${volumes}/volume`];
      await eventually(async () => expect(await reading(...named)).toEqual([200, 404, 404, 200]));
      const others = [CONFIG_MAPS, CLAIMS, SECRETS].flatMap((path) => [path, `${path}/theirs`]);
      expect(await reading(...others, `${volumes}/other`)).toEqual([...others.map(() => 403), 403]);
    });

    test('A145: it writes its status and events', async ({ access, paths }) => {
      const { node } = await nodeOf(access);
      const running = { status: { phase: 'Running' } };
      expect(await node.patch(`${PODS}/mine/status`, MERGE_PATCH, running)).toMatchObject({ status: 200 });
      expect(await node.patch(`${NODES}/n/status`, MERGE_PATCH, {})).toMatchObject({ status: 200 });
      expect(await node.patch(`${NODES}/n`, MERGE_PATCH, { metadata: { labels: { a: 'b' } } })).toMatchObject(
        {
          status: 200,
        },
      );
      const event = {
        metadata: { name: 'e' },
        involvedObject: { kind: 'Pod', namespace: 'a', name: 'mine' },
      };
      expect(await node.post('/api/v1/namespaces/a/events', event)).toMatchObject({ status: 201 });
      const asked = { user: 'eve', nonResourceAttributes: { verb: 'get', path: '/' } };
      const reviews = [
        node.post(`${paths.authorization}/subjectaccessreviews`, { spec: asked }),
        node.post(`${paths.authentication}/tokenreviews`, { spec: { token: 'al' } }),
      ];
      for (const reply of await Promise.all(reviews)) expect(reply).toMatchObject({ status: 201 });
      expect(await node.post(SECRETS, { metadata: { name: 's' } })).toMatchObject({ status: 403 });
    });

    test('A145: admission restricts it to its own objects', async ({ access }) => {
      const { node } = await nodeOf(access);
      for (const reply of [
        await node.post(NODES, { metadata: { name: 'other' } }),
        await node.patch(`${NODES}/m/status`, MERGE_PATCH, { status: { phase: 'Running' } }),
        await node.patch(`${PODS}/theirs/status`, MERGE_PATCH, { status: { phase: 'Failed' } }),
        await node.delete(`${PODS}/theirs`),
        await node.post(PODS, pod('new', 'n')),
      ]) {
        expect(reply).toMatchObject({ status: 403 });
        expect(reply.body.message).toMatch(/ is forbidden: .*node "?n"? /);
        expect(reply.body.message).not.toContain('cannot');
      }
    });

    test.for(['system:node:outside', 'nameless', 'al'])(
      'A145: %s is not a node',
      async (token, { access }) => {
        await nodeOf(access);
        for (const path of ['/api/v1/services', `${NODES}/n`, `${PODS}/mine`])
          expect(await access.as(token).get(path)).toMatchObject({ status: 403 });
      },
    );
  },
  (vocabulary) => ({
    resources: [...(accessOptions(vocabulary).resources ?? []), ...workloadResources(vocabulary)],
    authorizer: ({ node }) => withPrivilegedGroup(createUnionAuthorizer([node])),
    enabledAdmissionPlugins: ['NodeRestriction'],
  }),
);
