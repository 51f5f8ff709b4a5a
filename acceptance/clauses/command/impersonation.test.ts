import { expect, it } from 'vitest';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { type Caller, ROOT, type ServedCommand } from './served-command.fixture.ts';

const NAMESPACES = '/api/v1/namespaces';
const EVERYBODY = 'system:authenticated';

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

forEachVocabulary('Impersonation', ({ vocabulary, serve, file }) => {
  const group = `rbac.authorization.${vocabulary.groupDomain}`;
  const authentication = `authentication.${vocabulary.groupDomain}`;
  const API = `/apis/${group}/v1`;

  /** A server with RBAC, and a caller `helper` who may impersonate by these rules. */
  async function serveWith(...rules: readonly Rule[]): Promise<ServedCommand> {
    const tokens = file(`${ROOT.token},root,1,system:masters\nhelper-token,helper,2,helpers\n`);
    const server = await serve('--authorization-mode=RBAC', '--token-auth-file', tokens);
    const metadata = { name: 'impersonator' };
    const full = rules.map((rule) => ({ apiGroups: [''], verbs: ['impersonate'], ...rule }));
    await server.make(`${API}/clusterroles`, { metadata, rules: full });
    await server.make(`${API}/clusterrolebindings`, {
      metadata,
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'impersonator' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'helper' }],
    });
    return server;
  }
  const as = (headers: Caller['headers'] = {}): Caller => ({ token: 'helper-token', headers });
  const users: Rule = { resources: ['users'] };

  it('A128: a caller impersonates the user in the header', async () => {
    await using server = await serveWith(users);
    expect(await server.who(as({ 'Impersonate-User': 'anna' }))).toEqual({
      username: 'anna',
      groups: [EVERYBODY],
    });
    expect(await server.who(as())).toMatchObject({ username: 'helper' });
    expect(await server.who(as({ 'Impersonate-User': '' }))).toMatchObject({ username: 'helper' });
  });

  it('A129: and the groups in the headers, of which there may be several', async () => {
    await using server = await serveWith(users, { resources: ['groups'] });
    const headers = { 'Impersonate-User': 'anna', 'Impersonate-Group': ['dev', 'ops'] };
    expect(await server.who(as(headers))).toEqual({ username: 'anna', groups: ['dev', 'ops', EVERYBODY] });
    const { 'Impersonate-User': _, ...alone } = headers;
    expect(await server.who(as({ ...alone, 'Impersonate-User': 'anna' }))).toMatchObject({
      username: 'anna',
    });
    expect(await server.get('/version', as(alone))).toMatchObject({ status: 500 });
  });

  it('A130: with the extra fields in the headers, whose names are in lower case and decoded', async () => {
    await using server = await serveWith(users, {
      apiGroups: [authentication],
      resources: ['userextras/scopes', 'userextras/example.com/team'],
    });
    const extra = {
      'Impersonate-Extra-SCOPES': ['one', 'two'],
      'Impersonate-Extra-example.com%2Fteam': 'shop',
    };
    expect(await server.who(as({ 'Impersonate-User': 'anna', ...extra }))).toMatchObject({
      username: 'anna',
      extra: { scopes: ['one', 'two'], 'example.com/team': ['shop'] },
    });
    expect(await server.get('/version', as(extra))).toMatchObject({ status: 500 });
  });

  it('A131: with any uid in the header', async () => {
    await using server = await serveWith(users, { apiGroups: [authentication], resources: ['uids'] });
    for (const uid of ['7', '06f6ce97-e2c5-4ab8-7ba5-7654dd08d52b', 'no/format: at all']) {
      expect(await server.who(as({ 'Impersonate-User': 'anna', 'Impersonate-Uid': uid }))).toEqual({
        ...{ username: 'anna', uid },
        groups: [EVERYBODY],
      });
    }
    expect(await server.get('/version', as({ 'Impersonate-Uid': '7' }))).toMatchObject({ status: 500 });
  });

  it('A132: the caller is authenticated by their own credentials, and their permissions are checked', async () => {
    await using server = await serveWith();
    const headers = { 'Impersonate-User': 'anna' };
    expect(await server.get('/version', { headers, token: 'wrong' })).toMatchObject({ status: 401 });
    const refused = await server.get('/version', as(headers));
    expect(refused).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
    expect(refused.body.message).toBe(
      'users "anna" is forbidden: User "helper" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    expect(await server.who({ ...ROOT, headers })).toMatchObject({ username: 'anna' });
  });

  it("A132: then the impersonated user is authorized, without the caller's permissions", async () => {
    await using server = await serveWith(users);
    await server.make(`${API}/clusterroles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }],
    });
    for (const name of ['anna', 'helper']) {
      await server.make(`${API}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: name === 'anna' ? 'reader' : 'view' },
        subjects: [{ apiGroup: group, kind: 'User', name }],
      });
    }
    const config = '/api/v1/configmaps';
    const anna = as({ 'Impersonate-User': 'anna' });
    expect(await server.get(NAMESPACES, anna)).toMatchObject({ status: 200 });
    expect(await server.get(config, as())).toMatchObject({ status: 200 });
    const refused = await server.get(config, anna);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.body.message).toContain('User "anna" cannot list resource "configmaps"');
  });

  it('A132: each impersonated attribute is a permission of its own, and names can restrict it', async () => {
    const all: readonly [Rule, Record<string, string>, string][] = [
      [users, { 'Impersonate-User': 'anna' }, 'users'],
      [
        { resources: ['serviceaccounts'] },
        { 'Impersonate-User': 'system:serviceaccount:default:robot' },
        'serviceaccounts',
      ],
      [{ resources: ['groups'] }, { 'Impersonate-Group': 'dev' }, 'groups'],
      [
        { apiGroups: [authentication], resources: ['userextras/scopes'] },
        { 'Impersonate-Extra-scopes': 'one' },
        'userextras/scopes',
      ],
      [{ apiGroups: [authentication], resources: ['uids'] }, { 'Impersonate-Uid': '7' }, 'uids'],
    ];
    for (const [rule, headers, resource] of all) {
      const whole = { 'Impersonate-User': 'anna', ...headers };
      const value = Object.values(headers)[0]?.replace(/.*:/, '') ?? '';
      const needed = headers['Impersonate-User'] === undefined ? [users] : [];
      await using granted = await serveWith(...needed, rule);
      expect([resource, await granted.who(as(whole))]).toEqual([resource, expect.any(Object)]);
      await using named = await serveWith(...needed, { ...rule, resourceNames: [value] });
      expect([resource, await named.who(as(whole))]).toEqual([resource, expect.any(Object)]);
      for (const rules of [[], [{ ...rule, resourceNames: ['another'] }]]) {
        await using refusing = await serveWith(...needed, ...rules);
        const { status, body } = await refusing.get('/version', as(whole));
        expect([status, body.message]).toEqual([
          403,
          expect.stringContaining(`User "helper" cannot impersonate resource "${resource}"`),
        ]);
      }
    }
  });

  it('A132: users are cluster-scoped, so a namespaced role grants nothing', async () => {
    await using server = await serveWith();
    const metadata = { name: 'impersonator' };
    const place = `${API}/namespaces/default`;
    await server.make(`${place}/roles`, {
      metadata,
      rules: [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }],
    });
    await server.make(`${place}/rolebindings`, {
      metadata,
      roleRef: { apiGroup: group, kind: 'Role', name: 'impersonator' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'helper' }],
    });
    const inside = `${NAMESPACES}/default/configmaps`;
    expect(await server.get(inside, as({ 'Impersonate-User': 'anna' }))).toMatchObject({ status: 403 });
  });
});
