import type { AuthorizationAttributes, AuthorizationDecision, Vocabulary } from '@ashlar/core';
import { expect } from 'vitest';
import { CONFIG_MAPS, MERGE_PATCH, SECRETS, WIDGETS } from '../clause-server.fixture.ts';
import { type AccessServer, forEachAccess, rightsOf } from './access-server.fixture.ts';
import { createAccessServer } from './create-access-server.fixture.ts';

type Ask = (method: string, path: string, init?: RequestInit) => Promise<readonly AuthorizationAttributes[]>;

forEachAccess('Request attributes', (test) => {
  /** A server that allows everything, and the attributes that its authorizer gets for a request of `al`. */
  async function askingServer(
    vocabulary: Vocabulary,
  ): Promise<AccessServer & AsyncDisposable & { readonly ask: Ask }> {
    const asked: AuthorizationAttributes[] = [];
    const authorize = (attributes: AuthorizationAttributes): AuthorizationDecision => {
      asked.push(attributes);
      return { decision: 'allow' };
    };
    const server = await createAccessServer(vocabulary, { authorizer: () => ({ authorize }) });
    const ask: Ask = async (method, path, init) => {
      asked.length = 0;
      await server.al.send(method, path, init);
      return [...asked];
    };
    return { ...server, ask };
  }

  const json = (body: unknown, type = 'application/json'): RequestInit => ({
    body: JSON.stringify(body),
    headers: { 'content-type': type },
  });
  const map = { metadata: { name: 'x' } };

  test('A133: an authorizer gets the user', async ({ vocabulary }) => {
    await using made = await askingServer(vocabulary);
    const [{ user } = {}] = await made.ask('GET', CONFIG_MAPS);
    expect(user).toEqual({
      name: 'al',
      uid: '1',
      groups: ['dev', 'system:authenticated'],
      extra: { scopes: ['one', 'two'] },
    });
  });

  const resource = { isResourceRequest: true, apiGroup: '', namespace: 'a', resource: 'configmaps' };
  test.for<[method: string, path: string, Partial<AuthorizationAttributes>, init?: RequestInit]>([
    ['GET', `${CONFIG_MAPS}/x`, { ...resource, verb: 'get', name: 'x', subresource: '' }],
    ['GET', CONFIG_MAPS, { ...resource, verb: 'list', name: '', apiVersion: 'v1' }],
    ['GET', '/api/v1/configmaps', { ...resource, verb: 'list', namespace: '' }],
    ['PUT', `${CONFIG_MAPS}/x`, { ...resource, verb: 'update', name: 'x' }, json(map)],
    ['PATCH', `${CONFIG_MAPS}/x`, { ...resource, verb: 'patch', name: 'x' }, json({}, MERGE_PATCH)],
    ['DELETE', `${CONFIG_MAPS}/x`, { ...resource, verb: 'delete', name: 'x' }],
    ['POST', CONFIG_MAPS, { ...resource, verb: 'create', name: '' }, json(map)],
    [
      'GET',
      `${WIDGETS}/w/status`,
      { ...resource, apiGroup: 'example.com', resource: 'widgets', subresource: 'status', name: 'w' },
    ],
    ['GET', '/api/v1/namespaces/a', { ...resource, resource: 'namespaces', name: 'a' }],
    ['GET', '/version', { isResourceRequest: false, verb: 'get', path: '/version', resource: '', name: '' }],
    ['POST', '/some/path?x=1', { isResourceRequest: false, verb: 'post', path: '/some/path' }],
  ])(
    'A133: for %s %s it gets the attributes of the request',
    async ([method, path, expected, init], { vocabulary }) => {
      await using made = await askingServer(vocabulary);
      expect((await made.ask(method, path, init))[0]).toMatchObject(expected);
    },
  );

  const verbs = async (ask: Ask, ...request: Parameters<Ask>): Promise<readonly string[]> =>
    (await ask(...request)).map(({ verb }) => verb);

  test('A134: POST is create', async ({ vocabulary }) => {
    await using made = await askingServer(vocabulary);
    expect(await verbs(made.ask, 'POST', CONFIG_MAPS, json(map))).toEqual(['create']);
    expect(await verbs(made.ask, 'POST', `${WIDGETS}/w/scale`, json({}))).toEqual(['create']);
  });

  test('A135: GET and HEAD are get, list and watch', async ({ vocabulary }) => {
    await using made = await askingServer(vocabulary);
    for (const method of ['GET', 'HEAD']) {
      expect(await verbs(made.ask, method, `${CONFIG_MAPS}/x`)).toEqual(['get']);
      expect(await verbs(made.ask, method, CONFIG_MAPS)).toEqual(['list']);
      expect(await verbs(made.ask, method, `${CONFIG_MAPS}?limit=1`)).toEqual(['list']);
    }
    for (const watch of ['watch=1', 'watch=true'])
      expect(
        await verbs(made.ask, 'GET', `${CONFIG_MAPS}?${watch}&timeoutSeconds=0&resourceVersion=x`),
      ).toEqual(['watch']);
    expect(await verbs(made.ask, 'GET', `${CONFIG_MAPS}?watch=0`)).toEqual(['list']);
  });

  test('A136: PUT is update', async ({ vocabulary }) => {
    await using made = await askingServer(vocabulary);
    await made.root.configMap('x');
    expect(await verbs(made.ask, 'PUT', `${CONFIG_MAPS}/x`, json(map))).toEqual(['update']);
    expect(await verbs(made.ask, 'PUT', `${WIDGETS}/w/status`, json({}))).toEqual(['update']);
  });

  test('A137: PATCH is patch', async ({ vocabulary }) => {
    await using made = await askingServer(vocabulary);
    await made.root.configMap('x');
    for (const type of [MERGE_PATCH, 'application/strategic-merge-patch+json'])
      expect(await verbs(made.ask, 'PATCH', `${CONFIG_MAPS}/x`, json({}, type))).toEqual(['patch']);
  });

  test('A138: DELETE is delete or deletecollection', async ({ vocabulary }) => {
    await using made = await askingServer(vocabulary);
    await made.root.configMap('x');
    expect(await verbs(made.ask, 'DELETE', `${CONFIG_MAPS}/x`)).toEqual(['delete']);
    expect(await verbs(made.ask, 'DELETE', CONFIG_MAPS)).toEqual(['deletecollection']);
  });

  test.for([
    ['/api', false],
    ['/api/v1', false],
    ['/api/v1/configmaps', true],
    ['/apis/example.com', false],
    ['/apis/example.com/v1', false],
    ['/apis/example.com/v1/widgets', true],
    ['/openapi/v3/api/v1', false],
  ] as const)('A139: %s is of a resource: %s', async ([path, isResourceRequest], { vocabulary }) => {
    await using made = await askingServer(vocabulary);
    const [attributes] = await made.ask('GET', path);
    expect(attributes).toMatchObject({ isResourceRequest });
  });

  test('A139: for a non-resource path the verb is the method in lower case', async ({ vocabulary }) => {
    await using made = await askingServer(vocabulary);
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(await verbs(made.ask, method, '/any/path')).toEqual([method.toLowerCase()]);
  });

  test('A139: rules may name any verb', async ({ access, vocabulary }) => {
    const verbs = ['proxy', 'redirect', 'impersonate', 'bind', 'escalate', 'approve'];
    const asked = verbs.map((verb) => `${verb} roles.rbac.authorization.`);
    expect(await rightsOf(access.al, vocabulary, asked)).toEqual([]);
    await access.allow('verbs', [{ verbs, apiGroups: ['*'], resources: ['roles'] }]);
    expect(await rightsOf(access.al, vocabulary, asked)).toEqual(asked);
  });

  test.for(['get', 'list', 'watch'])(
    'A139: users with permission to %s see complete objects',
    async (verb, { access }) => {
      await access.root.post(SECRETS, { metadata: { name: 's' }, data: { key: 'c2VjcmV0' } });
      await access.allow('one', [{ verbs: [verb], apiGroups: [''], resources: ['secrets'] }]);
      const path = verb === 'get' ? `${SECRETS}/s` : verb === 'list' ? SECRETS : `${SECRETS}?watch=1`;
      for (const other of [`${SECRETS}/s`, SECRETS, `${SECRETS}?watch=1`])
        if (other !== path) expect(await access.al.get(other)).toMatchObject({ status: 403 });
      if (verb === 'watch') {
        await using watch = await access.al.watch(path);
        expect(await watch.next()).toMatchObject({ object: { data: { key: 'c2VjcmV0' } } });
      } else expect((await access.al.get(path)).text).toContain('c2VjcmV0');
    },
  );
});
