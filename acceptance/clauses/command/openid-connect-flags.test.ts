import { writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import {
  type RemoteIssuer,
  type RemoteIssuerOptions,
  startRemoteIssuer,
  startRemoteService,
} from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { CertificateAuthority } from './certificate-authority.fixture.ts';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { authenticationConfiguration, jwtOf, whoOnceFound } from './issuer-configuration.fixture.ts';
import type { ServedCommand } from './served-command.fixture.ts';

const URL_FLAG = '--oidc-issuer-url';
const CLIENT = '--oidc-client-id';
const CONFIGURATION = '--authentication-config';
const EVERYBODY = 'system:authenticated';
const WAIT = { timeout: 60_000 };

forEachVocabulary('OpenID Connect flags', ({ vocabulary, serve, refusal, file }) => {
  /** An issuer with the default algorithm of flags. */
  const startIssuer = (options: RemoteIssuerOptions = {}): Promise<RemoteIssuer> =>
    startRemoteIssuer({ algorithm: 'RS256', ...options });
  const authorityOf = ({ certificates }: RemoteIssuer): readonly string[] => [
    '--oidc-ca-file',
    file(certificates.certificateAuthority),
  ];
  const serving = (issuer: RemoteIssuer, ...words: readonly string[]): Promise<ServedCommand> =>
    serve(URL_FLAG, issuer.url, `${CLIENT}=server`, ...authorityOf(issuer), ...words);
  const configuration = (content: object): string => authenticationConfiguration(vocabulary, content);

  it('A109: the issuer is discovered below its URL, which is required and uses https', async () => {
    await using issuer = await startIssuer();
    await using server = await serving(issuer);
    expect(await whoOnceFound(server, issuer.token())).toMatchObject({ username: `${issuer.url}#anna` });
    expect(issuer.asked[0]).toBe('GET /.well-known/openid-configuration');
    expect(await server.who({ token: issuer.token({ iss: 'https://another.example' }) })).toBe(401);
    expect(await refusal(URL_FLAG, 'http://issuer.example', CLIENT, 'x')).toContain('scheme must be https');
    expect(await refusal(CLIENT, 'x')).toContain(`${CLIENT} needs ${URL_FLAG}`);
  });

  it('A110: every token is for the client, which is required', async () => {
    await using issuer = await startIssuer();
    await using server = await serving(issuer);
    await whoOnceFound(server, issuer.token({ aud: ['another', 'server'] }));
    for (const aud of ['another', ['another'], [], undefined])
      expect([aud, await server.who({ token: issuer.token({ aud }) })]).toEqual([aud, 401]);
    expect(await refusal(URL_FLAG, 'https://issuer.example')).toContain(`${URL_FLAG} needs ${CLIENT}`);
    for (const flag of [
      ...['username-claim=x', 'username-prefix=x', 'groups-claim=x', 'groups-prefix=x'],
      ...['required-claim=a=b', 'ca-file=x', 'signing-algs=RS256'],
    ]) {
      expect(await refusal(`--oidc-${flag}`)).toContain(`needs ${URL_FLAG}`);
    }
  });

  it('A111: the username is the claim sub, or a configured one', async () => {
    await using issuer = await startIssuer();
    const claims = { name: 'Anna', email: 'a@b.c' };
    for (const [flags, username] of [
      [[], `${issuer.url}#anna`],
      [['--oidc-username-claim=name'], `${issuer.url}#Anna`],
      [['--oidc-username-claim=email'], 'a@b.c'],
    ] as const) {
      await using server = await serving(issuer, ...flags);
      expect(await whoOnceFound(server, issuer.token(claims))).toMatchObject({ username });
    }
    await using server = await serving(issuer, '--oidc-username-claim=name');
    await whoOnceFound(server, issuer.token(claims));
    expect(await server.who({ token: issuer.token() })).toBe(401);
  });

  it('A112: usernames have a prefix, or none with a dash', async () => {
    await using issuer = await startIssuer();
    const token = issuer.token({ email: 'a@b.c' });
    for (const [flags, username] of [
      [['--oidc-username-prefix=home:'], 'home:anna'],
      [['--oidc-username-prefix=-'], 'anna'],
      [['--oidc-username-prefix=home:', '--oidc-username-claim=email'], 'home:a@b.c'],
    ] as const) {
      await using server = await serving(issuer, ...flags);
      expect(await whoOnceFound(server, token)).toMatchObject({ username });
    }
  });

  it('A113: groups are a configured claim, a list of strings', async () => {
    await using issuer = await startIssuer();
    const claims = { roles: ['dev', 'ops'], groups: ['system:masters'] };
    await using server = await serving(issuer, '--oidc-groups-claim=roles');
    expect(await whoOnceFound(server, issuer.token(claims))).toMatchObject({
      groups: ['dev', 'ops', EVERYBODY],
    });
    expect(await server.who({ token: issuer.token() })).toMatchObject({ groups: [EVERYBODY] });
    expect(await server.who({ token: issuer.token({ roles: [1] }) })).toBe(401);
    await using without = await serving(issuer);
    expect(await whoOnceFound(without, issuer.token(claims))).toMatchObject({ groups: [EVERYBODY] });
  });

  it('A114: groups have a prefix', async () => {
    await using issuer = await startIssuer();
    await using server = await serving(issuer, '--oidc-groups-claim=roles', '--oidc-groups-prefix=home:');
    expect(await whoOnceFound(server, issuer.token({ roles: ['dev', 'system:masters'] }))).toMatchObject({
      groups: ['home:dev', 'home:system:masters', EVERYBODY],
    });
  });

  it('A115: required claims must have their values; the flag can be repeated', async () => {
    await using issuer = await startIssuer();
    const flag = '--oidc-required-claim';
    await using server = await serving(issuer, `${flag}=hd=home`, `${flag}=team=shop`);
    const claims = { hd: 'home', team: 'shop' };
    expect(await whoOnceFound(server, issuer.token(claims))).toMatchObject({
      username: `${issuer.url}#anna`,
    });
    for (const wrong of [{ hd: undefined }, { team: undefined }, { hd: 'away' }, { team: ['shop'] }])
      expect([wrong, await server.who({ token: issuer.token({ ...claims, ...wrong }) })]).toEqual([
        wrong,
        401,
      ]);
    expect(await refusal(`${flag}=hd`)).toContain('hd is not of the form CLAIM=VALUE');
  });

  it('A116: the certificate of the issuer is verified by a configured CA, else by those of the system', async () => {
    await using issuer = await startIssuer();
    const authority = await CertificateAuthority.create();
    const plain = [URL_FLAG, issuer.url, `${CLIENT}=server`];
    for (const flags of [[], ['--oidc-ca-file', file(authority.pem)]]) {
      await using server = await serve(...plain, ...flags);
      await vi.waitFor(() => expect(server.stderr).toMatch(/cannot be found: .*certificate/), WAIT);
      expect(await server.who({ token: issuer.token() })).toBe(401);
    }
    await using server = await serve(...plain, ...authorityOf(issuer));
    expect(await whoOnceFound(server, issuer.token())).toMatchObject({ username: `${issuer.url}#anna` });
    expect(await refusal(...plain, '--oidc-ca-file=/nowhere')).toContain('--oidc-ca-file: /nowhere');
  });

  it('A117: tokens are signed by RS256, or configured algorithms', async () => {
    await using rsa = await startIssuer();
    await using curve = await startIssuer({ algorithm: 'ES256' });
    for (const [flags, accepted, refused] of [
      [[], rsa, curve],
      [['--oidc-signing-algs=ES256,ES384'], curve, rsa],
    ] as const) {
      await using server = await serving(accepted, ...flags);
      expect(await whoOnceFound(server, accepted.token())).toMatchObject({
        username: `${accepted.url}#anna`,
      });
      await using other = await serving(refused, ...flags);
      const received = 'are not signed with';
      await vi.waitFor(async () => {
        expect(await other.who({ token: refused.token() })).toBe(401);
        expect(other.stderr).toContain(received);
      }, WAIT);
    }
    expect(await refusal('--oidc-signing-algs=HS256')).toContain('tokens are not signed with HS256');
  });

  it('A118: the settings can be in a file instead, and not in both', async () => {
    await using issuer = await startIssuer();
    const groups = { claim: 'roles', prefix: 'home:' };
    const parts = {
      claimMappings: { username: { claim: 'name', prefix: 'home:' }, groups },
      claimValidationRules: [{ claim: 'hd', requiredValue: 'home' }],
    };
    const path = file(configuration({ jwt: [jwtOf(issuer, parts)] }));
    await using server = await serve(CONFIGURATION, path);
    const token = issuer.token({ name: 'anna', roles: ['dev'], hd: 'home' });
    expect(await whoOnceFound(server, token)).toEqual({
      username: 'home:anna',
      groups: ['home:dev', EVERYBODY],
    });
    for (const flag of [
      ...['issuer-url=https://issuer.example', 'client-id=x', 'username-claim=x', 'username-prefix=x'],
      ...['groups-claim=x', 'groups-prefix=x', 'required-claim=a=b', 'ca-file=x', 'signing-algs=RS256'],
    ]) {
      const name = `--oidc-${flag.split('=')[0]}`;
      const received = await refusal(CONFIGURATION, path, `--oidc-${flag}`);
      expect(received).toContain(`status 2: ashlar: flag ${CONFIGURATION} cannot be combined with ${name}`);
    }
  });

  it('A118: the file is read again when it changes, with a metric of the time', async () => {
    await using issuer = await startIssuer();
    const of = (prefix: string): string =>
      configuration({ jwt: [jwtOf(issuer, { claimMappings: { username: { claim: 'sub', prefix } } })] });
    const path = file(of('one:'));
    await using server = await serve(CONFIGURATION, path);
    expect(await whoOnceFound(server, issuer.token({ jti: '1' }))).toMatchObject({ username: 'one:anna' });
    const before = Date.now() / 1000;
    writeFileSync(path, of('two:'));
    await vi.waitFor(() => expect(server.stderr).toContain('was reloaded'), WAIT);
    expect(await server.who({ token: issuer.token({ jti: '2' }) })).toMatchObject({ username: 'two:anna' });
    const { text } = await server.get('/metrics', { token: 'root-token' });
    const name = 'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds';
    const [, value] = new RegExp(`^${name}\\{[^}]*status="success"\\} (\\S+)$`, 'm').exec(text) ?? [];
    expect(Number(value)).toBeGreaterThanOrEqual(before);
    expect(Number(value)).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('A118: a claim or a user that a rule rejects is 401', async () => {
    await using issuer = await startIssuer();
    const parts = {
      claimValidationRules: [{ expression: "claims.hd == 'home'" }],
      userValidationRules: [{ expression: "user.username != 'root'" }],
    };
    await using server = await serve(CONFIGURATION, file(configuration({ jwt: [jwtOf(issuer, parts)] })));
    await whoOnceFound(server, issuer.token({ hd: 'home' }));
    for (const claims of [{ hd: 'away' }, { hd: 'home', sub: 'root' }]) {
      const reply = await server.get('/version', { token: issuer.token(claims) });
      expect(reply).toMatchObject({ status: 401, body: { reason: 'Unauthorized' } });
    }
  });

  it('A118: distributed claims are resolved for claims, not for expressions', async () => {
    await using issuer = await startIssuer();
    await using source = await startRemoteService(
      (_request, _body, response) => void response.end(issuer.token({ roles: ['dev'] })),
      { certificates: issuer.certificates },
    );
    const elsewhere = {
      _claim_names: { roles: 'there' },
      _claim_sources: { there: { endpoint: `${source.url}/roles` } },
    };
    const groups = { claim: 'roles', prefix: '' };
    await using server = await serve(
      CONFIGURATION,
      file(configuration({ jwt: [jwtOf(issuer, { claimMappings: { groups } })] })),
    );
    expect(await whoOnceFound(server, issuer.token(elsewhere))).toMatchObject({ groups: ['dev', EVERYBODY] });
    const expression = "has(claims.roles) ? claims.roles : ['nowhere']";
    await using other = await serve(
      CONFIGURATION,
      file(configuration({ jwt: [jwtOf(issuer, { claimMappings: { groups: { expression } } })] })),
    );
    expect(await whoOnceFound(other, issuer.token({ ...elsewhere, jti: '1' }))).toMatchObject({
      groups: ['nowhere', EVERYBODY],
    });
  });

  it('A118: there is no egress selection for the issuer', async () => {
    const issuer = { egressSelectorType: 'controlplane' };
    const place = {
      url: 'https://issuer.example',
      certificates: { certificateAuthority: '' },
    } as RemoteIssuer;
    expect(await refusal(CONFIGURATION, file(configuration({ jwt: [jwtOf(place, { issuer })] })))).toContain(
      'strict decoding error: unknown field "jwt[0].issuer.egressSelectorType"',
    );
  });

  it('A118: a certificate of an issuer is verified by a CA certificate', async () => {
    for (const isAuthority of [true, false]) {
      const authority = await CertificateAuthority.create('issuers', isAuthority);
      const certificates = { certificateAuthority: authority.pem, ...(await authority.issue('issuer')) };
      await using issuer = await startIssuer({ certificates });
      await using server = await serving(issuer);
      if (isAuthority) {
        expect(await whoOnceFound(server, issuer.token())).toMatchObject({ username: `${issuer.url}#anna` });
      } else {
        await vi.waitFor(() => expect(server.stderr).toContain('cannot be found'), WAIT);
        expect(await server.who({ token: issuer.token() })).toBe(401);
      }
    }
  });

  it('A118: an issuer serves its document over TLS, with current keys', async () => {
    await using silent = await startRemoteService((_request, _body, response) => {
      response.writeHead(404).end();
    });
    await using unfound = await serve(
      ...[URL_FLAG, silent.url, `${CLIENT}=server`],
      ...['--oidc-ca-file', file(silent.certificates.certificateAuthority)],
    );
    await vi.waitFor(
      () => expect(unfound.stderr).toContain('cannot be found: the response has the status 404'),
      WAIT,
    );
    await using issuer = await startIssuer();
    await using server = await serving(issuer);
    const old = issuer.token({ jti: 'old' });
    await whoOnceFound(server, issuer.token({ jti: 'first' }));
    issuer.rotate();
    expect(await server.who({ token: issuer.token({ jti: 'new' }) })).toMatchObject({
      username: `${issuer.url}#anna`,
    });
    expect(await server.who({ token: old })).toBe(401);
  });

  it('A118: with a file, the document may be elsewhere', async () => {
    await using issuer = await startIssuer();
    const document = JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    await using elsewhere = await startRemoteService(
      (_request, _body, response) => void response.end(document),
      { certificates: issuer.certificates },
    );
    const discovered = { issuer: { discoveryURL: `${elsewhere.url}/document` } };
    await using server = await serve(
      CONFIGURATION,
      file(configuration({ jwt: [jwtOf(issuer, discovered)] })),
    );
    expect(await whoOnceFound(server, issuer.token())).toMatchObject({ username: 'anna' });
    expect(elsewhere.asked).toEqual(['GET /document']);
  });
});
