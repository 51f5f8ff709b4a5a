import type { Authentication, ServerRequest } from '@ashlar/core';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import { CONFIG_MAPS, toClauseServer } from '../clause-server.fixture.ts';
import { forEachAccess, rule } from './access-server.fixture.ts';
import { createAccessServer } from './create-access-server.fixture.ts';

forEachAccess('Authentication, authorization and health', (test) => {
  test('A001: identifiers of access follow the vocabulary', async ({ access, paths, vocabulary }) => {
    const { groupDomain, labelDomain } = vocabulary;
    const groups = (await access.root.get('/apis')).body.groups as { readonly name: string }[];
    const named = ['rbac.authorization', 'authentication', 'authorization'];
    expect(groups.map(({ name }) => name)).toEqual(
      expect.arrayContaining(named.map((group) => `${group}.${groupDomain}`)),
    );
    const { metadata } = (await access.root.get(`${paths.rbac}/clusterroles/view`)).body;
    expect(metadata.labels).toMatchObject({ [`${labelDomain}/bootstrapping`]: 'rbac-defaults' });
    expect(metadata.annotations).toEqual({ [`rbac.authorization.${labelDomain}/autoupdate`]: 'true' });
    const refused = await access.al.get(`${paths.rbac}/clusterroles`);
    expect(refused.body.message).toContain(`in API group "rbac.authorization.${groupDomain}"`);
  });

  test('A001: the word is that of the specification by default', async () => {
    await using api = await createTestServer();
    const server = toClauseServer(api);
    for (const group of ['rbac.authorization', 'authentication', 'authorization'])
      expect(await server.get(`/apis/${group}.orch.io/v1`)).toMatchObject({ status: 200 });
  });

  test('A002: a request is authenticated, then authorized, then admitted', async ({ vocabulary }) => {
    const passed: string[] = [];
    const authenticate = ({ headers }: ServerRequest): Authentication => {
      passed.push('authenticated');
      return headers.get('authorization') === 'Bearer wrong'
        ? { outcome: 'rejected', error: new Error('unknown') }
        : { outcome: 'authenticated', user: { name: 'al', groups: [] } };
    };
    await using server = await createAccessServer(vocabulary, {
      authenticator: () => ({ authenticate }),
      authorizer: () => ({
        authorize: ({ resource }) => {
          passed.push('authorized');
          return { decision: resource === 'secrets' ? 'no-opinion' : 'allow' };
        },
      }),
      admission: [{ name: 'Passed', handles: () => true, admit: () => void passed.push('admitted') }],
    });
    const steps = async (token: string, resource: string): Promise<readonly [number, readonly string[]]> => {
      passed.length = 0;
      const path = `/api/v1/namespaces/a/${resource}`;
      const { status } = await server.as(token).post(path, { metadata: { name: 'x' } });
      return [status, [...passed]];
    };
    expect(await steps('wrong', 'configmaps')).toEqual([401, ['authenticated']]);
    expect(await steps('right', 'secrets')).toEqual([403, ['authenticated', 'authorized']]);
    expect(await steps('right', 'configmaps')).toEqual([201, ['authenticated', 'authorized', 'admitted']]);
  });

  test('A002: a request without credentials is anonymous, if that is enabled', async ({
    access,
    vocabulary,
  }) => {
    await access.allow('everybody', [rule('list', 'configmaps')], { kind: 'User', name: 'system:anonymous' });
    expect(await access.anonymous.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    await using server = await createAccessServer(vocabulary, {
      authenticator: () => ({ authenticate: () => ({ outcome: 'none' }) }),
    });
    expect(await server.anonymous.get('/version')).toMatchObject({ status: 401 });
  });

  test('A002: a request that no authorizer allows is denied', async ({ access }) => {
    for (const server of [access.al, access.anonymous])
      for (const path of [CONFIG_MAPS, '/api/v1/nodes', '/metrics', '/nothing'])
        expect(await server.get(path)).toMatchObject({ status: 403 });
  });
});
