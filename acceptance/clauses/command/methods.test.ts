import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import {
  startRemoteIssuer,
  startRemoteService,
} from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { CertificateAuthority } from './certificate-authority.fixture.ts';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { secretToken } from './secret-token.fixture.ts';
import { ROOT, type ServedCommand } from './served-command.fixture.ts';
import { webhookFile } from './webhook-file.fixture.ts';

const EVERYBODY = 'system:authenticated';
const SECRETS = '/api/v1/namespaces/default/secrets';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const WAIT = { timeout: 60_000 };
const ROBOT = 'system:serviceaccount:default:robot';

const pemOf = (key: KeyObject): string =>
  key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString();
const newKey = (type: 'rsa' | 'ec') =>
  type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A token of the account `robot`, which is created if it is missing. */
async function robotToken(server: ServedCommand, spec: object = {}): Promise<string> {
  await server.request('POST', ACCOUNTS, ROOT, { metadata: { name: 'robot' } });
  return (await server.make(`${ACCOUNTS}/robot/token`, { spec })).body.status.token;
}

forEachVocabulary('Methods', ({ vocabulary, serve, refusal, file }) => {
  const { namespacePrefix, labelDomain } = vocabulary;

  it('A100: certificates of the CAs identify the user and their groups', async () => {
    const [first, second, stranger] = [
      await CertificateAuthority.create('a'),
      await CertificateAuthority.create('b'),
      await CertificateAuthority.create('c'),
    ];
    await using server = await serve('--client-ca-file', file(`${first.pem}${second.pem}`));
    expect(await server.who({ certificate: await first.issue('carol', 'dev', 'ops') })).toMatchObject({
      username: 'carol',
      groups: ['dev', 'ops', EVERYBODY],
    });
    expect(await server.who({ certificate: await second.issue('dave') })).toMatchObject({
      username: 'dave',
      groups: [EVERYBODY],
    });
    expect(await server.who({ certificate: await stranger.issue('carol', 'dev') })).toBe(401);
    await using without = await serve();
    expect(await without.who({ certificate: await first.issue('carol') })).toBe(401);
  });

  it('A101: tokens of a file identify the user, their uid and their groups', async () => {
    const tokens = file('t1,anna,u1,"dev,ops"\nt2,bob,u2,dev\nt3,carl,u3\n');
    await using server = await serve('--token-auth-file', tokens);
    const known = (token: string): Promise<unknown> => server.who({ token });
    expect(await known('t1')).toEqual({ username: 'anna', uid: 'u1', groups: ['dev', 'ops', EVERYBODY] });
    expect(await known('t2')).toEqual({ username: 'bob', uid: 'u2', groups: ['dev', EVERYBODY] });
    expect(await known('t3')).toEqual({ username: 'carl', uid: 'u3', groups: [EVERYBODY] });
    expect(await known('t4')).toBe(401);
    expect(await refusal('--token-auth-file', file('t1,anna\n'))).toContain('needs at least 3 columns');
  });

  it('A101: the file is read once, when the server starts', async () => {
    const tokens = file('old,anna,1\n');
    await using server = await serve('--token-auth-file', tokens);
    writeFileSync(tokens, 'new,anna,1\n');
    expect(await server.who({ token: 'old' })).toMatchObject({ username: 'anna' });
    expect(await server.who({ token: 'new' })).toBe(401);
    await using restarted = await serve('--token-auth-file', tokens);
    expect(await restarted.who({ token: 'old' })).toBe(401);
    expect(await restarted.who({ token: 'new' })).toMatchObject({ username: 'anna' });
  });

  it('A102: a bearer token is in the header Authorization', async () => {
    const token = '31ada4fd-adec.460c~809a+9e56/ceb7!#$%&=';
    await using server = await serve('--token-auth-file', file(`${token},anna,1\n`), '--anonymous-auth');
    const who = (authorization: string): Promise<unknown> => server.who({ headers: { authorization } });
    for (const line of [`Bearer ${token}`, `bearer ${token}`])
      expect(await who(line)).toMatchObject({ username: 'anna' });
    expect(await who(`Bearer ${token}x`)).toBe(401);
    for (const line of [token, `Token ${token}`, 'Bearer'])
      expect(await who(line)).toMatchObject({ username: 'system:anonymous' });
    expect(await server.who({ headers: { 'x-authorization': `Bearer ${token}` } })).toMatchObject({
      username: 'system:anonymous',
    });
  });

  /** The secret of the bootstrap token `abcdef.0123456789abcdef`. */
  const bootstrapSecret = (data: Readonly<Record<string, string>> = {}): object => ({
    metadata: { name: 'bootstrap-token-abcdef' },
    type: `bootstrap.${labelDomain}/token`,
    stringData: {
      ...{ 'token-id': 'abcdef', 'token-secret': '0123456789abcdef' },
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:workers,system:bootstrappers:edge',
      ...data,
    },
  });
  const SYSTEM_SECRETS = `/api/v1/namespaces/${namespacePrefix}-system/secrets`;

  it('A103: bootstrap tokens are accepted if the flag enables them', async () => {
    const token = 'abcdef.0123456789abcdef';
    await using server = await serve('--enable-bootstrap-token-auth');
    await server.make(SYSTEM_SECRETS, bootstrapSecret());
    expect(await server.who({ token })).toEqual({
      username: 'system:bootstrap:abcdef',
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:edge',
        'system:bootstrappers:workers',
        EVERYBODY,
      ],
    });
    expect(await server.who({ token: 'abcdef.0123456789abcdeg' })).toBe(401);
    await using without = await serve();
    await without.make(SYSTEM_SECRETS, bootstrapSecret());
    expect(await without.who({ token })).toBe(401);
  });

  it('A103: expired ones are rejected, and the cleaner deletes them if it is enabled', async () => {
    const expired = bootstrapSecret({ expiration: '2020-01-01T00:00:00Z' });
    const token = 'abcdef.0123456789abcdef';
    const path = `${SYSTEM_SECRETS}/bootstrap-token-abcdef`;
    await using server = await serve('--enable-bootstrap-token-auth', '--controllers=*,tokencleaner');
    await using keeping = await serve('--enable-bootstrap-token-auth');
    for (const each of [keeping, server]) {
      await each.make(SYSTEM_SECRETS, expired);
      expect(await each.who({ token })).toBe(401);
    }
    await vi.waitFor(async () => expect(await server.get(path, ROOT)).toMatchObject({ status: 404 }), WAIT);
    expect(await keeping.get(path, ROOT)).toMatchObject({ status: 200 });
  });

  it('A104: the token of a service account contains its name and groups', async () => {
    await using server = await serve();
    expect(await server.who({ token: await robotToken(server) })).toMatchObject({
      username: ROBOT,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', EVERYBODY],
    });
  });

  it('A104: tokens are verified with keys of files, RSA or ECDSA, private or public', async () => {
    const keys = (['rsa', 'ec', 'rsa', 'ec'] as const).map(newKey);
    const keyFiles = keys
      .slice(0, 3)
      .flatMap(({ privateKey, publicKey }, i) => [
        '--service-account-key-file',
        file(pemOf(i < 2 ? privateKey : publicKey)),
      ]);
    const accepted: boolean[] = [];
    for (const { privateKey } of keys) {
      const signing = ['--service-account-signing-key-file', file(pemOf(privateKey))];
      await using server = await serve(...signing, ...keyFiles);
      accepted.push((await server.who({ token: await robotToken(server) })) !== 401);
    }
    expect(accepted).toEqual([true, true, true, false]);
    const ed25519 = file(pemOf(generateKeyPairSync('ed25519').privateKey));
    expect(await refusal('--service-account-key-file', ed25519)).toContain('flag --service-account-key-file');
  });

  it('A104: by default the key of the server itself is used', async () => {
    for (const [flags, status] of [
      [[], 'known'],
      [['--service-account-key-file', file(pemOf(newKey('ec').publicKey))], 401],
    ] as const) {
      await using server = await serve(...flags);
      const { uid } = (await server.make(ACCOUNTS, { metadata: { name: 'robot' } })).body.metadata;
      const { token, secret } = secretToken(vocabulary, server.tlsKey, 'kept', uid);
      await server.make(SECRETS, secret);
      expect(await server.who({ token })).toEqual(
        status === 401 ? 401 : expect.objectContaining({ username: ROBOT }),
      );
    }
  });

  it('A104: deleted tokens are revoked, unless lookup is disabled', async () => {
    const key = pemOf(newKey('ec').privateKey);
    for (const [flags, status] of [
      [[], 401],
      [['--service-account-lookup=true'], 401],
      [['--service-account-lookup=false'], 'known'],
    ] as const) {
      await using server = await serve('--service-account-key-file', file(key), ...flags);
      const { uid } = (await server.make(ACCOUNTS, { metadata: { name: 'robot' } })).body.metadata;
      const { token, secret } = secretToken(vocabulary, key, 'kept', uid);
      await server.make(SECRETS, secret);
      await server.request('DELETE', `${SECRETS}/kept`, ROOT);
      expect(await server.who({ token })).toEqual(
        status === 401 ? 401 : expect.objectContaining({ username: ROBOT }),
      );
    }
  });

  it('A105: the signature, the audience and the time of an ID token are checked, then authorization decides', async () => {
    await using issuer = await startRemoteIssuer();
    await using stranger = await startRemoteIssuer();
    await using server = await serve(
      ...['--oidc-issuer-url', issuer.url, '--oidc-client-id=server', '--oidc-username-prefix=-'],
      ...['--oidc-ca-file', file(issuer.certificates.certificateAuthority), '--oidc-signing-algs=ES256'],
      '--authorization-mode=AlwaysDeny',
    );
    const status = async (token: string): Promise<number> =>
      (await server.get('/api/v1/namespaces', { token })).status;
    await vi.waitFor(async () => expect(await status(issuer.token())).toBe(403), WAIT);
    expect(issuer.asked).toEqual(['GET /.well-known/openid-configuration', 'GET /keys']);
    const [head, body] = issuer.token().split('.');
    for (const token of [
      issuer.token({ exp: Math.floor(Date.now() / 1000) - 1 }),
      issuer.token({ aud: 'another' }),
      stranger.token({ iss: issuer.url }),
      `${head}.${body}.${stranger.token().split('.')[2]}`,
      // access tokens are opaque
      'ya29.a0AfH6SMB',
    ]) {
      expect(await status(token)).toBe(401);
    }
  });

  it('A106: tokens that a webhook authenticates are accepted', async () => {
    await using service = await startRemoteService((_request, text, response) => {
      const { apiVersion, kind, spec } = JSON.parse(text);
      const user = { username: 'anna', uid: '7', groups: ['dev'], extra: { team: ['shop'] } };
      const status = spec.token === 'known' ? { authenticated: true, user } : { authenticated: false };
      response.end(JSON.stringify({ apiVersion, kind, status }));
    });
    await using server = await serve(
      '--authentication-token-webhook-config-file',
      file(webhookFile(service)),
    );
    expect(await server.who({ token: 'known' })).toEqual({
      username: 'anna',
      uid: '7',
      groups: ['dev', EVERYBODY],
      extra: { team: ['shop'] },
    });
    expect(await server.who({ token: 'unknown' })).toBe(401);
  });

  it('A107: headers of a proxy identify the user', async () => {
    const authority = await CertificateAuthority.create('proxies');
    await using server = await serve(
      ...['--requestheader-client-ca-file', file(authority.pem)],
      '--requestheader-username-headers=X-Remote-User',
    );
    const headers = { 'x-remote-user': 'anna' };
    expect(await server.who({ certificate: await authority.issue('proxy'), headers })).toEqual({
      username: 'anna',
      groups: [EVERYBODY],
    });
    expect(await server.who({ headers })).toBe(401);
    expect(await server.who({ headers, ...ROOT })).toMatchObject({ username: 'root' });
  });

  it('A108: anonymous users have a name and a group', async () => {
    await using server = await serve('--anonymous-auth');
    expect(await server.who()).toEqual({
      username: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
  });
});
