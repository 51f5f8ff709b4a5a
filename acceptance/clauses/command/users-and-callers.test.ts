import { expect, it } from 'vitest';
import { startRemoteIssuer } from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { generateServiceAccountKey } from '../../../packages/server/src/certificates/service-account-signing-keys.ts';
import { CertificateAuthority } from './certificate-authority.fixture.ts';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { whoOnceFound } from './issuer-configuration.fixture.ts';
import { type SecretToken, secretToken } from './secret-token.fixture.ts';
import { ROOT } from './served-command.fixture.ts';

forEachVocabulary('Users and callers', ({ vocabulary, serve, file }) => {
  const robot = 'system:serviceaccount:default:robot';
  const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
  const SECRETS = '/api/v1/namespaces/default/secrets';

  it('A097: service accounts are objects of a namespace, with credentials in secrets', async () => {
    const { pem } = generateServiceAccountKey();
    await using server = await serve('--service-account-signing-key-file', file(pem));
    const account = await server.make(ACCOUNTS, { metadata: { name: 'robot' } });
    expect(account.body.metadata).toMatchObject({ name: 'robot', namespace: 'default' });
    const { uid } = account.body.metadata;
    // results are cached for a while, so each token is used in one state only
    const [used, early, late, orphan] = ['used', 'early', 'late', 'orphan'].map((secret) =>
      secretToken(vocabulary, pem, secret, uid),
    ) as [SecretToken, SecretToken, SecretToken, SecretToken];
    expect(await server.who(early)).toBe(401);
    for (const { secret } of [used, late, orphan]) await server.make(SECRETS, secret);
    expect(await server.who(used)).toMatchObject({ username: robot, uid });
    await server.request('DELETE', `${SECRETS}/late`, ROOT);
    expect(await server.who(late)).toBe(401);
    await server.request('DELETE', `${ACCOUNTS}/robot`, ROOT);
    expect(await server.who(orphan)).toBe(401);
  });

  it('A097: normal users are not objects', async () => {
    await using server = await serve(
      '--token-auth-file',
      file(`anna-token,anna,7,dev\n${ROOT.token},root,1,system:masters\n`),
    );
    const anna = { token: 'anna-token' };
    expect(await server.who(anna)).toMatchObject({
      username: 'anna',
      groups: ['dev', 'system:authenticated'],
    });
    const groups = (await server.get('/apis', anna)).body.groups as {
      preferredVersion: { groupVersion: string };
    }[];
    const paths = [
      '/api/v1',
      ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`),
    ];
    for (const path of paths) {
      const { resources } = (await server.get(path, anna)).body as { resources: { name: string }[] };
      expect(resources.map((resource) => resource.name)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(users|groups)$/)]),
      );
    }
    for (const plural of ['users', 'groups'])
      expect(await server.request('POST', `/api/v1/${plural}`, ROOT, {})).toMatchObject({ status: 404 });
  });

  it('A098: a caller is a normal user, a service account or anonymous', async () => {
    await using server = await serve('--anonymous-auth');
    await server.make(ACCOUNTS, { metadata: { name: 'robot' } });
    const { token } = (await server.make(`${ACCOUNTS}/robot/token`, { spec: {} })).body.status;
    expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
    expect(await server.who({ token })).toMatchObject({ username: robot });
    expect(await server.who()).toMatchObject({ username: 'system:anonymous' });
  });

  it('A099: several authenticators are called until one authenticates the caller', async () => {
    await using issuer = await startRemoteIssuer();
    const authority = await CertificateAuthority.create();
    const certificate = await authority.issue('carol');
    await using server = await serve(
      ...['--client-ca-file', file(authority.pem), '--enable-bootstrap-token-auth'],
      ...['--oidc-issuer-url', issuer.url, '--oidc-client-id=server', '--oidc-username-prefix=-'],
      ...['--oidc-ca-file', file(issuer.certificates.certificateAuthority), '--oidc-signing-algs=ES256'],
    );
    await server.make(ACCOUNTS, { metadata: { name: 'robot' } });
    const { token } = (await server.make(`${ACCOUNTS}/robot/token`, { spec: {} })).body.status;
    expect(await whoOnceFound(server, issuer.token())).toMatchObject({ username: 'anna' });
    expect(await server.who({ token })).toMatchObject({ username: robot });
    expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
    expect(await server.who({ certificate })).toMatchObject({ username: 'carol' });
    expect(await server.who({ token: 'wrong' })).toBe(401);
    // rejections of one do not affect callers of another
    expect(await server.who({ certificate, token: 'wrong' })).toMatchObject({ username: 'carol' });
    const stranger = await (await CertificateAuthority.create('strangers')).issue('mallory');
    expect(await server.who({ certificate: stranger, ...ROOT })).toMatchObject({ username: 'root' });
    expect(await server.who({ certificate: stranger })).toBe(401);
  });
});
