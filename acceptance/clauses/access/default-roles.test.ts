import { createMemoryStore } from '@ashlar/storage';
import { createManualClock, createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import { MERGE_PATCH } from '../clause-server.fixture.ts';
import {
  type AccessServer,
  accessOptions,
  forEachAccess,
  rightsOf,
  rule,
  toAccessServer,
} from './access-server.fixture.ts';

forEachAccess('Default roles', (test) => {
  test('A037: they have the label of bootstrapped objects', async ({ access, paths, vocabulary }) => {
    const label = `${vocabulary.labelDomain}/bootstrapping`;
    for (const plural of ['clusterroles', 'clusterrolebindings', 'roles']) {
      const { items } = (await access.root.get(`${paths.rbac}/${plural}`)).body;
      expect(items.length).toBeGreaterThan(0);
      for (const { metadata } of items) expect(metadata.labels).toMatchObject({ [label]: 'rbac-defaults' });
    }
  });

  test('A037: each start restores what is missing, unless autoupdate is off', async ({
    vocabulary,
    paths,
  }) => {
    const storage = createMemoryStore({ clock: createManualClock() });
    await using before = await createTestServer({ ...accessOptions(vocabulary), storage });
    const { root } = toAccessServer(before);
    const annotation = `rbac.authorization.${vocabulary.labelDomain}/autoupdate`;
    const retained = { metadata: { annotations: { [annotation]: 'false' } } };
    for (const [path, change] of [
      ['clusterroles/system:basic-user', { rules: [rule('get', 'pods')] }],
      ['clusterroles/system:discovery', { rules: [], ...retained }],
      ['clusterrolebindings/system:public-info-viewer', { subjects: [] }],
      ['clusterrolebindings/system:monitoring', { subjects: [], ...retained }],
    ] as const)
      expect(await root.patch(`${paths.rbac}/${path}`, MERGE_PATCH, change)).toMatchObject({ status: 200 });
    await root.delete(`${paths.rbac}/clusterroles/view`);
    const asked = ['create selfsubjectreviews.authentication.', 'get pods', 'get /api', 'get /metrics'];
    const seen = async (server: AccessServer) => ({
      rights: await rightsOf(server.as('watcher'), vocabulary, asked),
      version: (await server.anonymous.get('/version')).status,
      view: (await server.root.get(`${paths.rbac}/clusterroles/view`)).status,
    });
    expect((await toAccessServer(before).anonymous.get('/version')).status).toBe(403);
    await using after = await createTestServer({ ...accessOptions(vocabulary), storage });
    expect(await seen(toAccessServer(after))).toEqual({
      rights: ['create selfsubjectreviews.authentication.', 'get pods'],
      version: 200,
      view: 200,
    });
  });

  test('A038: authenticated users may review their identity and permissions', async ({
    access,
    vocabulary,
    paths,
  }) => {
    const own = [
      'create selfsubjectreviews.authentication.',
      'create selfsubjectaccessreviews.authorization.',
      'create selfsubjectrulesreviews.authorization.',
    ];
    const others = [
      'create tokenreviews.authentication.',
      'create subjectaccessreviews.authorization.',
      'list selfsubjectreviews.authentication.',
      'get configmaps',
    ];
    expect(await rightsOf(access.as('bo'), vocabulary, [...own, ...others])).toEqual(own);
    const refused = await access.anonymous.post(`${paths.authentication}/selfsubjectreviews`, {});
    expect(refused).toMatchObject({ status: 403 });
  });

  test('A039: authenticated users may discover the API', async ({ access, paths }) => {
    for (const path of ['/api', '/api/v1', '/apis', paths.rbac, '/openapi/v2', '/openapi/v3', '/version']) {
      expect([path, (await access.as('bo').get(path)).status]).toEqual([path, 200]);
      if (path !== '/version') expect((await access.anonymous.get(path)).status).toBe(403);
    }
    expect(await access.as('bo').send('POST', '/apis')).toMatchObject({ status: 403 });
    expect(await access.as('bo').get('/metrics')).toMatchObject({ status: 403 });
  });

  test('A040: everyone may read public information', async ({ access }) => {
    for (const server of [access.anonymous, access.as('bo')])
      for (const path of ['/healthz', '/livez', '/readyz', '/version'])
        expect([path, (await server.get(path)).status]).toEqual([path, 200]);
    for (const path of ['/livez/ping', '/metrics', '/api', '/api/v1/namespaces'])
      expect([path, (await access.anonymous.get(path)).status]).toEqual([path, 403]);
  });

  test('A041: a cluster-admin may do everything everywhere', async ({ access, paths, vocabulary }) => {
    const everything = [
      ...[
        'get secrets',
        'anything nodes',
        'deletecollection widgets.example.com',
        'escalate roles.rbac.authorization.',
      ],
      'post /anything',
    ];
    expect(await rightsOf(access.al, vocabulary, everything)).toEqual([]);
    const binding = (await access.root.get(`${paths.rbac}/clusterrolebindings/cluster-admin`)).body;
    expect(binding.roleRef).toMatchObject({ kind: 'ClusterRole', name: 'cluster-admin' });
    expect(binding.subjects).toMatchObject([{ kind: 'Group', name: 'system:masters' }]);
    await access.root.patch(`${paths.rbac}/clusterrolebindings/cluster-admin`, MERGE_PATCH, {
      subjects: [{ kind: 'User', name: 'al', apiGroup: (binding.roleRef as { apiGroup: string }).apiGroup }],
    });
    expect(await rightsOf(access.al, vocabulary, everything)).toEqual(everything);
  });

  test('A041: the group system:masters has that role', async ({ vocabulary }) => {
    const options = accessOptions(vocabulary);
    await using api = await createTestServer({ ...options, authorizer: ({ rbac }) => rbac() });
    const server = toAccessServer(api);
    expect(await server.root.get('/api/v1/secrets')).toMatchObject({ status: 200 });
    expect(await server.root.get('/metrics')).toMatchObject({ status: 200 });
  });

  test('A045: monitors may read detailed health, and metrics', async ({ access, vocabulary }) => {
    const seen = ['/livez', '/livez/ping', '/readyz/ping', '/healthz/ping', '/metrics', '/metrics/slis'];
    const asked = [...seen.map((path) => `get ${path}`), 'post /metrics', 'get configmaps', 'get /debug'];
    expect(await rightsOf(access.as('watcher'), vocabulary, asked)).toEqual(
      seen.map((path) => `get ${path}`),
    );
    expect(await rightsOf(access.as('bo'), vocabulary, asked)).toEqual(['get /livez']);
  });

  test('A046: nodes have no permissions by a role without a binding', async ({
    access,
    paths,
    vocabulary,
  }) => {
    const node = access.as('system:node:n');
    const asked = ['get nodes', 'update nodes/status', 'create events', 'list secrets', 'delete nodes'];
    expect(await rightsOf(node, vocabulary, asked)).toEqual([]);
    const binding = (await access.root.get(`${paths.rbac}/clusterrolebindings/system:node`)).body;
    expect(binding).not.toHaveProperty('subjects');
    await access.root.post(`${paths.rbac}/clusterrolebindings`, {
      metadata: { name: 'nodes' },
      roleRef: { kind: 'ClusterRole', name: 'system:node' },
      subjects: [{ kind: 'Group', name: 'system:nodes' }],
    });
    expect(await rightsOf(node, vocabulary, asked)).toEqual(asked.slice(0, -1));
  });
});
