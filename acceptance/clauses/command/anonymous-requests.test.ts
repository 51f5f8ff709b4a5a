import { expect, it } from 'vitest';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { authenticationConfiguration } from './issuer-configuration.fixture.ts';
import { ROOT, type ServedCommand } from './served-command.fixture.ts';

const ANONYMOUS = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const NODES = '/api/v1/namespaces';

forEachVocabulary('Anonymous requests', ({ vocabulary, serve, file }) => {
  const group = `rbac.authorization.${vocabulary.groupDomain}`;

  /** Grants subjects all permissions. */
  const bind = async (server: ServedCommand, ...subjects: readonly object[]): Promise<void> => {
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
    const body = { metadata: { generateName: 'all-' }, roleRef, subjects };
    await server.make(`/apis/${group}/v1/clusterrolebindings`, body);
  };
  const policies = (...specs: readonly object[]): string => {
    const all = { namespace: '*', resource: '*', apiGroup: '*', nonResourcePath: '*' };
    const apiVersion = `abac.authorization.${vocabulary.labelDomain}/v1beta1`;
    const lines = specs.map((spec) => ({ apiVersion, kind: 'Policy', spec: { ...all, ...spec } }));
    return file(lines.map((line) => JSON.stringify(line)).join('\n'));
  };

  it('A125: requests without credentials are anonymous, those with wrong ones are rejected', async () => {
    await using server = await serve('--anonymous-auth');
    expect(await server.who()).toEqual(ANONYMOUS);
    expect(await server.who({ headers: { authorization: 'Basic eDp5' } })).toEqual(ANONYMOUS);
    expect(await server.who({ token: 'wrong' })).toBe(401);
    expect(await server.get('/version', { token: 'wrong' })).toMatchObject({
      status: 401,
      body: { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' },
    });
    expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
  });

  it('A126: the flag decides, and by default the mode AlwaysAllow rejects anonymous requests', async () => {
    const abac = ['ABAC', '--authorization-policy-file', policies()];
    for (const [mode, withoutFlag] of [
      [['AlwaysAllow'], 401],
      [['RBAC'], 403],
      [['AlwaysDeny'], 403],
      [['Node,RBAC'], 403],
      [abac, 403],
    ] as const) {
      await using usual = await serve('--authorization-mode', ...mode);
      expect([mode, (await usual.get(NODES)).status]).toEqual([mode, withoutFlag]);
      await using off = await serve('--authorization-mode', ...mode, '--anonymous-auth=false');
      expect([mode, (await off.get(NODES)).status]).toEqual([mode, 401]);
    }
    await using nothing = await serve();
    expect(await nothing.get(NODES)).toMatchObject({ status: 401 });
    await using on = await serve('--anonymous-auth=true');
    expect(await on.get(NODES)).toMatchObject({ status: 200 });
  });

  it('A126: roles apply to anonymous users by name, but not to a star', async () => {
    for (const [subject, status] of [
      [{ kind: 'User', name: '*' }, 403],
      [{ kind: 'Group', name: '*' }, 403],
      [{ kind: 'Group', name: 'system:authenticated' }, 403],
      [{ kind: 'User', name: 'system:anonymous' }, 200],
      [{ kind: 'Group', name: 'system:unauthenticated' }, 200],
    ] as const) {
      await using server = await serve('--authorization-mode=RBAC');
      await bind(server, { apiGroup: group, ...subject });
      expect([subject, (await server.get(NODES)).status]).toEqual([subject, status]);
    }
  });

  it('A126: policies do so as well', async () => {
    for (const [who, status] of [
      [{ user: '*' }, 403],
      [{ group: '*' }, 403],
      [{ user: 'system:anonymous' }, 200],
      [{ group: 'system:unauthenticated' }, 200],
    ] as const) {
      const flags = ['--authorization-mode=ABAC', '--authorization-policy-file', policies(who)];
      const tokens = ['--token-auth-file', file('anna-token,anna,7\n')];
      await using server = await serve(...flags, ...tokens);
      expect([who, (await server.get(NODES)).status]).toEqual([who, status]);
      const known = (await server.get(NODES, { token: 'anna-token' })).status;
      expect([who, known]).toEqual([who, status === 200 ? 403 : 200]);
    }
  });

  it('A127: the paths of the configuration accept anonymous requests, others do not, whatever roles permit', async () => {
    const conditions = ['/livez', '/readyz', '/healthz'].map((path) => ({ path }));
    const configuration = { anonymous: { enabled: true, conditions } };
    await using server = await serve(
      ...['--authorization-mode=RBAC', '--authentication-config'],
      file(authenticationConfiguration(vocabulary, configuration)),
    );
    await bind(server, { apiGroup: group, kind: 'Group', name: 'system:unauthenticated' });
    for (const { path } of conditions) expect([path, (await server.get(path)).status]).toEqual([path, 200]);
    for (const path of [NODES, '/version', '/livez/ping', '/metrics'])
      expect([path, (await server.get(path)).status]).toEqual([path, 401]);
    expect(await server.get(NODES, ROOT)).toMatchObject({ status: 200 });
  });
});
