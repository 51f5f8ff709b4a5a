import { expect, it, vi } from 'vitest';
import {
  type RemoteIssuer,
  startRemoteIssuer,
  startRemoteService,
} from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { CertificateAuthority } from './certificate-authority.fixture.ts';
import { forEachVocabulary } from './clause-command.fixture.ts';
import {
  authenticationConfiguration,
  type IssuerParts,
  jwtOf,
  whoOnceFound,
} from './issuer-configuration.fixture.ts';
import { ROOT, type ServedCommand } from './served-command.fixture.ts';

const FLAG = '--authentication-config';
const EVERYBODY = 'system:authenticated';
/** A configured issuer that does not exist. */
const PLACE = { url: 'https://127.0.0.1:1', certificates: { certificateAuthority: '' } } as RemoteIssuer;

forEachVocabulary('AuthenticationConfiguration', (command) => {
  const { vocabulary, serve, refusal } = command;
  const file = (content: object): string => command.file(authenticationConfiguration(vocabulary, content));
  const refused = (...jwt: readonly object[]): Promise<string> => refusal(FLAG, file({ jwt }));
  const serving = (issuer: RemoteIssuer, parts?: IssuerParts): Promise<ServedCommand> =>
    serve(FLAG, file({ jwt: [jwtOf(issuer, parts)] }));

  it('A062: tokens of every listed issuer are accepted', async () => {
    await using first = await startRemoteIssuer();
    await using second = await startRemoteIssuer();
    await using stranger = await startRemoteIssuer();
    const mapped = (prefix: string) => ({ claimMappings: { username: { claim: 'sub', prefix } } });
    const jwt = [jwtOf(first, mapped('1:')), jwtOf(second, mapped('2:'))];
    await using server = await serve(FLAG, file({ jwt }));
    expect(await whoOnceFound(server, first.token())).toMatchObject({ username: '1:anna' });
    expect(await whoOnceFound(server, second.token())).toMatchObject({ username: '2:anna' });
    expect(await server.who({ token: stranger.token() })).toBe(401);
  });

  it('A062: the list has at most 64 issuers', async () => {
    const many = (count: number): object[] =>
      Array.from({ length: count }, (_, i) => jwtOf({ ...PLACE, url: `${PLACE.url}/${i}` }));
    expect(await refused(...many(65))).toContain('jwt: Too many: 65: must have at most 64 items');
    await using server = await serve(FLAG, file({ jwt: many(64) }));
    expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
  });

  it('A063: an issuer has a unique URL', async () => {
    expect(await refused(jwtOf({ ...PLACE, url: '' }))).toContain('jwt[0].issuer.url: Required value');
    expect(await refused(jwtOf(PLACE), jwtOf(PLACE))).toContain(
      'jwt[1].issuer.url: Duplicate value: "https://127.0.0.1:1"',
    );
    expect(await refused(jwtOf({ ...PLACE, url: 'http://127.0.0.1:1' }))).toContain(
      'jwt[0].issuer.url: Invalid value: "http://127.0.0.1:1": URL scheme must be https',
    );
  });

  it('A063: it is not that of service account tokens', async () => {
    const own = `https://${vocabulary.name}.default.svc`;
    expect(await refused(jwtOf({ ...PLACE, url: own }))).toContain(
      `jwt[0].issuer.url: Invalid value: "${own}": URL must not overlap with disallowed issuers`,
    );
    const received = ['--service-account-issuer=https://127.0.0.1:1', FLAG, file({ jwt: [jwtOf(PLACE)] })];
    expect(await refusal(...received)).toContain('URL must not overlap');
  });

  it('A064: the discovery document is below its URL', async () => {
    await using issuer = await startRemoteIssuer();
    await using server = await serving(issuer);
    await whoOnceFound(server, issuer.token());
    expect(issuer.asked[0]).toBe('GET /.well-known/openid-configuration');
  });

  it('A064: or at another one, whose document names the same issuer', async () => {
    await using issuer = await startRemoteIssuer();
    const document = { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` };
    const answer = JSON.stringify(document);
    await using place = await startRemoteService((_request, _body, response) => void response.end(answer), {
      certificates: issuer.certificates,
    });
    await using server = await serving(issuer, { issuer: { discoveryURL: `${place.url}/found/here` } });
    expect(await whoOnceFound(server, issuer.token())).toMatchObject({ username: 'anna' });
    expect(place.asked).toEqual(['GET /found/here']);
    expect(new Set(issuer.asked)).toEqual(new Set(['GET /keys']));
  });

  it('A064: a document of another issuer is rejected', async () => {
    await using issuer = await startRemoteIssuer();
    await using other = await startRemoteIssuer({ certificates: issuer.certificates });
    const discoveryURL = `${other.url}/.well-known/openid-configuration`;
    await using server = await serving(issuer, { issuer: { discoveryURL } });
    await vi.waitFor(() => expect(server.stderr).toContain('cannot be found'), { timeout: 60_000 });
    for (const { token } of [issuer, other]) expect(await server.who({ token: token() })).toBe(401);
  });

  it('A064: that URL differs from those of the issuer and of other issuers', async () => {
    const at = (url: string, discoveryURL: string): object =>
      jwtOf({ ...PLACE, url }, { issuer: { discoveryURL } });
    expect(await refused(at('https://a.invalid', 'https://a.invalid'))).toContain(
      'jwt[0].issuer.discoveryURL: Invalid value: "https://a.invalid": discoveryURL must be different from URL',
    );
    const same = 'https://c.invalid/x';
    expect(await refused(at('https://a.invalid', same), at('https://b.invalid', same))).toContain(
      `jwt[1].issuer.discoveryURL: Duplicate value: "${same}"`,
    );
  });

  it('A065: the connection is verified by the configured CAs, otherwise by those of the system', async () => {
    const [trusted, other] = await Promise.all(['a', 'b'].map((name) => CertificateAuthority.create(name)));
    const served = await trusted?.issue('issuer');
    const certificates = { certificateAuthority: trusted?.pem ?? '', certificate: '', key: '', ...served };
    await using issuer = await startRemoteIssuer({ certificates });
    for (const certificateAuthority of [other?.pem, undefined]) {
      await using server = await serving(issuer, { issuer: { certificateAuthority } });
      await vi.waitFor(() => expect(server.stderr).toMatch(/cannot be found: .*certificate/), {
        timeout: 60_000,
      });
      expect(await server.who({ token: issuer.token() })).toBe(401);
    }
    const certificateAuthority = `${other?.pem}${trusted?.pem}`;
    await using server = await serving(issuer, { issuer: { certificateAuthority } });
    expect(await whoOnceFound(server, issuer.token())).toMatchObject({ username: 'anna' });
    expect(await refused(jwtOf(PLACE, { issuer: { certificateAuthority: 'no PEM' } }))).toContain(
      'jwt[0].issuer.certificateAuthority: Invalid value',
    );
  });

  it('A066: a token is for one of the audiences', async () => {
    await using issuer = await startRemoteIssuer();
    const audiences = ['server', 'other'];
    await using server = await serving(issuer, { issuer: { audiences, audienceMatchPolicy: 'MatchAny' } });
    for (const aud of ['server', 'other', ['third', 'other']]) {
      expect(await whoOnceFound(server, issuer.token({ aud }))).toMatchObject({ username: 'anna' });
    }
    for (const aud of ['third', ['third'], [], undefined]) {
      expect(await server.who({ token: issuer.token({ aud }) })).toBe(401);
    }
    expect(await refused(jwtOf(PLACE, { issuer: { audiences: [] } }))).toContain(
      'jwt[0].issuer.audiences: Required value',
    );
  });

  it('A067: with several audiences, matching any of them must be configured', async () => {
    for (const policy of ['', 'MatchAll']) {
      const issuer = { audiences: ['a', 'b'], audienceMatchPolicy: policy };
      expect(await refused(jwtOf(PLACE, { issuer }))).toContain(
        `jwt[0].issuer.audienceMatchPolicy: Invalid value: "${policy}": audienceMatchPolicy must be MatchAny`,
      );
    }
    const issuer = { audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' };
    await using server = await serve(FLAG, file({ jwt: [jwtOf(PLACE, { issuer })] }));
    expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
  });

  it('A068: rules require a value of a claim or a true expression, and log the reason', async () => {
    await using issuer = await startRemoteIssuer();
    const claimValidationRules = [
      { claim: 'hd', requiredValue: 'home' },
      { expression: 'claims.age >= 18', message: 'too young for this' },
    ];
    await using server = await serving(issuer, { claimValidationRules });
    const who = (claims: object): Promise<unknown> => server.who({ token: issuer.token(claims) });
    await whoOnceFound(server, issuer.token({ hd: 'home', age: 18 }));
    expect(server.stderr).not.toContain('too young for this');
    for (const claims of [{ age: 18 }, { hd: 'away', age: 18 }, { hd: 'home' }, { hd: 'home', age: 'x' }]) {
      expect([claims, await who(claims)]).toEqual([claims, 401]);
    }
    expect(server.stderr).not.toContain('too young for this');
    expect(await who({ hd: 'home', age: 17 })).toBe(401);
    expect(server.stderr).toContain('too young for this');
  });

  it('A068: a rule is one or the other', async () => {
    const rule = (...claimValidationRules: readonly object[]): Promise<string> =>
      refused(jwtOf(PLACE, { claimValidationRules }));
    const place = 'jwt[0].claimValidationRules[0]';
    expect(await rule({ claim: 'a', requiredValue: 'b', expression: 'true' })).toContain(
      `${place}: Invalid value: "a": claim and expression can't both be set`,
    );
    expect(await rule({ message: 'x' })).toContain(`${place}: Required value`);
    expect(await rule({ expression: '"text"' })).toContain(
      `${place}.expression: Invalid value: "\\"text\\"": must evaluate to bool`,
    );
    expect(await rule({ claim: 'a', requiredValue: 'b', message: 'x' })).toContain(`${place}.message`);
  });

  it('A069: the username is a claim with a prefix, or an expression', async () => {
    await using issuer = await startRemoteIssuer();
    const names: readonly [object, unknown][] = [
      [{ claim: 'sub', prefix: 'home:' }, 'home:anna'],
      [{ claim: 'sub', prefix: '' }, 'anna'],
      [{ expression: "claims.sub + '@home'" }, 'anna@home'],
      [{ expression: "claims.email_verified ? claims.email : ''" }, 'a@b.c'],
    ];
    for (const [username, expected] of names) {
      await using server = await serving(issuer, { claimMappings: { username } });
      const claims = { email: 'a@b.c', email_verified: true };
      expect(await whoOnceFound(server, issuer.token(claims))).toMatchObject({ username: expected });
    }
  });

  it('A069: an empty username, or one that is not a string, is rejected', async () => {
    await using issuer = await startRemoteIssuer();
    for (const username of [{ claim: 'name', prefix: '' }, { expression: 'claims.name' }]) {
      await using server = await serving(issuer, { claimMappings: { username } });
      await whoOnceFound(server, issuer.token({ name: 'x' }));
      for (const claims of [{ name: '' }, {}, { name: 7 }, { name: ['x'] }]) {
        expect([claims, await server.who({ token: issuer.token(claims) })]).toEqual([claims, 401]);
      }
    }
  });

  it('A069: invalid username mappings are rejected', async () => {
    const mapped = (username: object | undefined): Promise<string> =>
      refused(jwtOf(PLACE, { claimMappings: { username } }));
    const place = 'jwt[0].claimMappings.username';
    expect(await mapped(undefined)).toContain(`${place}: Required value: claim or expression is required`);
    expect(await mapped({ claim: 'sub' })).toContain(`${place}.prefix: Required value`);
    expect(await mapped({ claim: 'sub', prefix: '', expression: 'claims.sub' })).toContain(
      `${place}: Invalid value: "": claim and expression can't both be set`,
    );
    expect(await mapped({ expression: 'claims.email' })).toContain(
      `${place}.expression: Invalid value: "claims.email": claims.email_verified must be used`,
    );
  });

  it('A069: email_verified may be checked elsewhere', async () => {
    const username = { expression: 'claims.email' };
    const claimValidationRules = [{ expression: 'claims.email_verified == true' }];
    const extra = [{ key: 'example.com/verified', valueExpression: 'string(claims.email_verified)' }];
    for (const parts of [
      { claimMappings: { username }, claimValidationRules },
      { claimMappings: { username, extra } },
    ]) {
      await using server = await serve(FLAG, file({ jwt: [jwtOf(PLACE, parts)] }));
      expect(await server.who(ROOT)).toMatchObject({ username: 'root' });
    }
  });

  it('A070: groups are a claim with a prefix, or an expression', async () => {
    await using issuer = await startRemoteIssuer();
    const groups: readonly [object, readonly string[]][] = [
      [{ claim: 'roles', prefix: 'r:' }, ['r:dev', 'r:ops']],
      [{ expression: 'claims.roles' }, ['dev', 'ops']],
      [{ expression: 'claims.team' }, ['shop']],
    ];
    for (const [mapping, expected] of groups) {
      await using server = await serving(issuer, { claimMappings: { groups: mapping } });
      const claims = { roles: ['dev', 'ops'], team: 'shop' };
      const user = await whoOnceFound(server, issuer.token(claims));
      expect(user).toMatchObject({ groups: [...expected, EVERYBODY] });
      expect(await server.who({ token: issuer.token({ roles: [1], team: true }) })).toBe(401);
    }
    const mapped = (mapping: object): Promise<string> =>
      refused(jwtOf(PLACE, { claimMappings: { groups: mapping } }));
    expect(await mapped({ claim: 'roles' })).toContain('jwt[0].claimMappings.groups.prefix: Required value');
    expect(await mapped({ claim: 'roles', prefix: '', expression: 'claims.roles' })).toContain(
      'jwt[0].claimMappings.groups: Invalid value: "": claim and expression can\'t both be set',
    );
  });

  it('A071: the uid is a claim or an expression', async () => {
    await using issuer = await startRemoteIssuer();
    for (const [uid, expected] of [
      [{ claim: 'number' }, '7'],
      [{ expression: "claims.number + '-' + claims.sub" }, '7-anna'],
    ] as const) {
      await using server = await serving(issuer, { claimMappings: { uid } });
      expect(await whoOnceFound(server, issuer.token({ number: '7' }))).toMatchObject({ uid: expected });
      expect(await server.who({ token: issuer.token({ number: 7 }) })).toBe(401);
    }
    const mapped = (uid: object): Promise<string> => refused(jwtOf(PLACE, { claimMappings: { uid } }));
    expect(await mapped({ claim: 'a', expression: "'b'" })).toContain('jwt[0].claimMappings.uid: Invalid');
    expect(await mapped({ expression: 'claims.' })).toContain('jwt[0].claimMappings.uid.expression: Invalid');
  });

  it('A072: extra fields are strings or lists of strings', async () => {
    await using issuer = await startRemoteIssuer();
    const extra = [
      { key: 'example.com/team', valueExpression: 'claims.team' },
      { key: 'example.com/roles/all', valueExpression: 'claims.roles' },
    ];
    await using server = await serving(issuer, { claimMappings: { extra } });
    const user = await whoOnceFound(server, issuer.token({ team: 'shop', roles: ['dev', 'ops'] }));
    expect(user).toMatchObject({
      extra: { 'example.com/team': ['shop'], 'example.com/roles/all': ['dev', 'ops'] },
    });
    expect(await server.who({ token: issuer.token({ team: 7, roles: [] }) })).toBe(401);
  });

  it('A072: their keys are paths below a domain that is not reserved', async () => {
    const keyed = (...keys: readonly string[]): Promise<string> =>
      refused(
        jwtOf(PLACE, { claimMappings: { extra: keys.map((key) => ({ key, valueExpression: "'x'" })) } }),
      );
    const place = 'jwt[0].claimMappings.extra[0].key: Invalid value';
    for (const key of ['team', 'example.com/', 'exa mple.com/team', '-example.com/team', 'example.com/Team'])
      expect([key, await keyed(key)]).toEqual([key, expect.stringContaining(place)]);
    const { groupDomain, labelDomain } = vocabulary;
    for (const domain of [groupDomain, labelDomain, 'kubernetes.io', 'k8s.io']) {
      expect(await keyed(`${domain}/x`)).toContain('are reserved for');
      expect(await keyed(`sub.${domain}/x`)).toContain('are reserved for');
    }
    expect(await keyed('')).toContain('jwt[0].claimMappings.extra[0].key: Required value');
    expect(await keyed('example.com/a', 'example.com/a')).toContain(
      'jwt[0].claimMappings.extra[1].key: Duplicate value: "example.com/a"',
    );
    const extra = [{ key: 'example.com/a' }];
    expect(await refused(jwtOf(PLACE, { claimMappings: { extra } }))).toContain('valueExpression: Required');
  });

  it('A073: user rules read the mapped user', async () => {
    await using issuer = await startRemoteIssuer();
    const claimMappings = {
      username: { claim: 'sub', prefix: 'home:' },
      groups: { claim: 'roles', prefix: '' },
      uid: { claim: 'number' },
      extra: [{ key: 'example.com/team', valueExpression: 'claims.team' }],
    };
    const userValidationRules = [
      { expression: "!user.username.startsWith('home:root')", message: 'root stays at home' },
      { expression: "user.groups.all(group, !group.startsWith('system:'))" },
      { expression: "user.uid != '0' && user.extra['example.com/team'] == ['shop']" },
    ];
    await using server = await serving(issuer, { claimMappings, userValidationRules });
    const good = { roles: ['dev'], number: '7', team: 'shop' };
    expect(await whoOnceFound(server, issuer.token(good))).toMatchObject({ username: 'home:anna' });
    for (const bad of [{ sub: 'root' }, { roles: ['system:masters'] }, { number: '0' }, { team: 'office' }]) {
      expect([bad, await server.who({ token: issuer.token({ ...good, ...bad }) })]).toEqual([bad, 401]);
    }
    expect(server.stderr).toContain('root stays at home');
    const rule = (expression: string): Promise<string> =>
      refused(jwtOf(PLACE, { userValidationRules: [{ expression }] }));
    for (const expression of ['', "'text'", 'claims.sub == user.username', 'user.nothing == 1']) {
      expect(await rule(expression)).toContain('jwt[0].userValidationRules[0].expression: ');
    }
  });

  it('A074: the file can configure anonymous requests, and then replaces the flag', async () => {
    for (const enabled of [true, false]) {
      await using server = await serve(FLAG, file({ anonymous: { enabled } }));
      expect(await server.get('/version')).toMatchObject({ status: enabled ? 200 : 401 });
    }
    for (const flag of ['--anonymous-auth=true', '--anonymous-auth=false']) {
      expect(await refusal(flag, FLAG, file({ anonymous: { enabled: true } }))).toContain('--anonymous-auth');
    }
    expect(await refusal(FLAG, file({ anonymous: { enabled: 'yes' } }))).toContain('enabled');
  });

  it('A075: with paths, anonymous requests are accepted on these only', async () => {
    const conditions = [{ path: '/livez' }, { path: '/readyz' }];
    await using server = await serve(FLAG, file({ anonymous: { enabled: true, conditions } }));
    for (const path of ['/livez', '/readyz', '/livez?verbose']) {
      expect([path, (await server.get(path)).status]).toEqual([path, 200]);
    }
    for (const path of ['/healthz', '/livez/ping', '/version', '/api/v1/namespaces']) {
      expect([path, (await server.get(path)).status]).toEqual([path, 401]);
      expect([path, (await server.get(path, ROOT)).status]).toEqual([path, 200]);
    }
    const disabled = file({ anonymous: { enabled: false, conditions } });
    expect(await refusal(FLAG, disabled)).toContain('anonymous.conditions: Invalid value');
  });

  it('A076: a token contains its issuer, audience, expiry and the username', async () => {
    await using issuer = await startRemoteIssuer();
    const username = { claim: 'name', prefix: '' };
    await using server = await serving(issuer, { claimMappings: { username } });
    expect(await whoOnceFound(server, issuer.token({ name: 'anna' }))).toMatchObject({ username: 'anna' });
    const past = Math.floor(Date.now() / 1000) - 60;
    for (const missing of [
      ...[{ iss: undefined }, { iss: `${issuer.url}/` }, { aud: undefined }, { name: undefined }],
      ...[{ exp: undefined }, { exp: past }, { exp: new Date(Date.now() + 60_000).toISOString() }],
    ]) {
      const token = issuer.token({ name: 'anna', ...missing });
      expect([missing, await server.who({ token })]).toEqual([missing, 401]);
    }
  });

  it('A076: expressions read the claims of a token', async () => {
    await using issuer = await startRemoteIssuer();
    const username = { expression: "claims.home.name + '/' + claims['example.com/id'] + '/' + claims.iss" };
    await using server = await serving(issuer, { claimMappings: { username } });
    const token = issuer.token({ home: { name: 'anna' }, 'example.com/id': '7' });
    expect(await whoOnceFound(server, token)).toMatchObject({ username: `anna/7/${issuer.url}` });
    expect(await server.who({ token: issuer.token() })).toBe(401);
  });
});
