import { type Authentication, orchVocabulary } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import type { JWTPayload } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JwtConfiguration } from './authentication-configuration.ts';
import { createJwtAuthenticator, type JwtAuthenticator } from './jwt-authenticator.ts';
import { FakeIssuer } from './jwt-issuer.fixture.ts';

const NOW = Date.UTC(2030, 0, 1);
const SECONDS = NOW / 1000;

let issuer: FakeIssuer;
let clock: SteppedClock;
let errors: string[];

beforeEach(async () => {
  issuer = new FakeIssuer();
  await issuer.rotate('one');
  clock = createSteppedClock(NOW);
  errors = [];
});

function create(
  rest: Partial<JwtConfiguration> = {},
  algorithms: readonly string[] = ['ES256'],
): JwtAuthenticator {
  return createJwtAuthenticator({
    ambient: { clock, vocabulary: orchVocabulary },
    transport: issuer.transport,
    algorithms,
    onError: ({ message }) => errors.push(message),
    configuration: {
      issuer: { url: issuer.url, audiences: ['server'] },
      claimMappings: { username: { claim: 'sub', prefix: 'i:' } },
      ...rest,
    },
  });
}

/** The user, or the reason of the rejection. */
async function ask(authenticator: JwtAuthenticator, token: string): Promise<unknown> {
  // discovery has started with the authenticator
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  const result: Authentication = await authenticator.authenticateToken(token);
  if (result.outcome === 'rejected') return result.error.message;
  return result.outcome === 'authenticated' ? result.user : result.outcome;
}

const claimed = async (claims: JWTPayload, rest: Partial<JwtConfiguration> = {}): Promise<unknown> =>
  ask(create(rest), await issuer.token(claims));

describe('createJwtAuthenticator', () => {
  it('authenticates a token that the issuer signed', async () => {
    expect(await claimed({ jti: '7' })).toEqual({
      name: 'i:anna',
      groups: [],
      extra: { 'authentication.orch.io/credential-id': ['JTI=7'] },
    });
  });

  it('ignores other tokens', async () => {
    const authenticator = create();
    expect(await ask(authenticator, 'abc')).toBe('none');
    expect(await ask(authenticator, await issuer.token({ iss: 'https://other.test' }))).toBe('none');
    expect(issuer.asked).toEqual([`${issuer.url}/.well-known/openid-configuration`]);
  });

  it('fetches the keys again for an unknown one, and accepts no old one then', async () => {
    const authenticator = create();
    const old = await issuer.token();
    expect(await ask(authenticator, old)).toMatchObject({ name: 'i:anna' });
    await issuer.rotate('two');
    expect(await ask(authenticator, await issuer.token())).toMatchObject({ name: 'i:anna' });
    expect(await ask(authenticator, old)).toMatch('no key');
  });

  it('accepts no key without a name for a token that names one', async () => {
    await issuer.rotate('one');
    const place = `${issuer.url}/keys`;
    const { keys } = issuer.documents.get(place) as { readonly keys: readonly object[] };
    issuer.documents.set(place, { keys: keys.map((key) => ({ ...key, kid: undefined })) });
    expect(await ask(create(), await issuer.token())).toMatch('no key');
  });

  it('limits requests that forged tokens cause', async () => {
    const authenticator = create();
    const [head, body] = (await issuer.token()).split('.');
    for (let i = 0; i < 30; i++) expect(await ask(authenticator, `${head}.${body}.AAAA`)).toMatch('no key');
    expect(issuer.asked.length).toBe(11);
    clock.advance(10_000);
    await ask(authenticator, `${head}.${body}.AAAA`);
    expect(issuer.asked.length).toBe(12);
  });

  it('retries discovery until it succeeds', async () => {
    const place = `${issuer.url}/.well-known/openid-configuration`;
    const document = issuer.documents.get(place);
    issuer.documents.delete(place);
    const authenticator = create();
    expect(await ask(authenticator, await issuer.token())).toMatch('not been found yet');
    expect(errors).toEqual([`the issuer "${issuer.url}" cannot be found: the response has the status 404`]);
    for (const wrong of [{ issuer: 'https://x.test' }, { ...Object(document), jwks_uri: 'http://x' }, 'x']) {
      issuer.documents.set(place, wrong);
      clock.advance(10_000);
      expect(await ask(authenticator, await issuer.token())).toMatch('not been found yet');
    }
    issuer.documents.set(place, document);
    clock.advance(9_999);
    expect(authenticator.error).toBeDefined();
    clock.advance(1);
    expect(await ask(authenticator, await issuer.token())).toMatchObject({ name: 'i:anna' });
    expect([authenticator.error, clock.pending()]).toEqual([undefined, []]);
  });

  it('uses a configured discovery URL', async () => {
    issuer.documents.set('https://inside.test/x', { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    const discovered = { url: issuer.url, audiences: ['server'], discoveryURL: 'https://inside.test/x' };
    expect(await claimed({}, { issuer: discovered })).toMatchObject({ name: 'i:anna' });
    expect(issuer.asked[0]).toBe('https://inside.test/x');
  });

  it('stops discovery when it is closed', async () => {
    issuer.documents.clear();
    const authenticator = create();
    await ask(authenticator, await issuer.token());
    authenticator[Symbol.dispose]();
    expect(clock.pending()).toEqual([]);
  });

  it.each([
    [{ exp: SECONDS }, undefined],
    [{ exp: SECONDS - 1 }, 'the token has expired'],
    [{ exp: undefined }, 'the token has expired'],
    [{ nbf: SECONDS + 60 }, undefined],
    [{ nbf: SECONDS + 61 }, 'the token is not valid yet'],
    [{ aud: ['other', 'server'] }, undefined],
    [{ aud: ['other'] }, 'the token is for another audience'],
    [{ aud: undefined }, 'the token is for another audience'],
    [{ sub: undefined }, 'the token has no claim "sub"'],
    [{ sub: 7 as never }, 'the claim "sub" is of a wrong type'],
    [{ iat: 'x' as never }, 'the claim "iat" is of a wrong type'],
    [{ exp: 1e20 }, 'the claim "exp" is of a wrong type'],
  ])('checks %j: %s', async (claims: object, refusal) => {
    const found = await claimed(claims as JWTPayload);
    if (refusal === undefined) expect(found).toMatchObject({ name: 'i:anna' });
    else expect(found).toBe(refusal);
  });

  it('accepts only the configured algorithms', async () => {
    expect(await ask(create({}, ['RS256', 'PS512']), await issuer.token())).toBe(
      'tokens of this issuer are not signed with "ES256"',
    );
    await issuer.rotate('rsa', 'RS256');
    expect(await ask(create({}, ['RS256']), await issuer.token({}, 'RS256'))).toMatchObject({
      name: 'i:anna',
    });
    expect(() => create({}, ['none'])).toThrow('not signed with none');
    expect(() => create({}, ['HS256'])).toThrow('not signed with HS256');
  });

  it('maps claims', async () => {
    const username = { claim: 'email', prefix: '' };
    const mappings = { username, groups: { claim: 'g', prefix: 'p:' }, uid: { claim: 'u' } };
    const rest = { claimMappings: mappings };
    const email = 'a@b.c';
    expect(await claimed({ email, email_verified: true, g: ['x', 'y'], u: '9' }, rest)).toEqual({
      name: email,
      groups: ['p:x', 'p:y'],
      uid: '9',
    });
    expect(await claimed({ email, g: 'x', u: '9' }, rest)).toMatchObject({ groups: ['p:x'] });
    expect(await claimed({ email, u: '9' }, rest)).toMatchObject({ groups: [] });
    expect(await claimed({ email, email_verified: false, u: '9' }, rest)).toMatch('not verified');
    expect(await claimed({ email: '', u: '9' }, rest)).toBe('the token gives an empty username');
    expect(await claimed({ email, g: [1], u: '9' }, rest)).toMatch('neither a string nor a list');
    expect(await claimed({ email }, rest)).toBe('the token has no claim "u"');
  });

  describe('with distributed groups', () => {
    const ENDPOINT = 'https://groups.test/of/anna';
    const claimMappings = {
      username: { claim: 'sub', prefix: '' },
      groups: { claim: 'g', prefix: 'p:' },
    };
    const elsewhere = (more: object = {}): JWTPayload => ({
      _claim_names: { g: 'there' },
      _claim_sources: { there: { endpoint: ENDPOINT, access_token: 'secret', ...more } },
    });

    it('fetches them', async () => {
      issuer.documents.set(ENDPOINT, await issuer.token({ g: ['x'] }));
      expect(await claimed(elsewhere(), { claimMappings })).toEqual({ name: 'anna', groups: ['p:x'] });
      expect(issuer.asked).toContain(ENDPOINT);
      expect(await claimed({ g: 'own', ...elsewhere() }, { claimMappings })).toMatchObject({
        groups: ['p:own'],
      });
      expect(await claimed(elsewhere({ endpoint: '' }), { claimMappings })).toMatchObject({ groups: [] });
      const other = { _claim_names: { other: 'x' }, _claim_sources: { x: {} } };
      expect(await claimed(other, { claimMappings })).toMatchObject({ groups: [] });
    });

    it('accepts only signed ones, for the server and unexpired', async () => {
      const refusal = async (result: string): Promise<unknown> => {
        issuer.documents.set(ENDPOINT, result);
        return claimed(elsewhere(), { claimMappings });
      };
      expect(await refusal(await issuer.token({ g: 'x', aud: 'other' }))).toMatch('another audience');
      expect(await refusal(await issuer.token({ g: 'x', exp: 1 }))).toMatch('expired');
      expect(await refusal(await issuer.token())).toBe('the source of the claim "g" has it not');
      expect(await refusal('["x"]')).toMatch('gives no token');
      const stranger = new FakeIssuer();
      await stranger.rotate('one');
      expect(await refusal(await stranger.token({ g: 'x' }))).toMatch('no key');
      expect(await refusal(await issuer.token({ g: 'x', iss: 'https://nobody.test' }))).toMatch(
        'not been found',
      );
    });

    it('rejects invalid sources', async () => {
      expect(await claimed({ _claim_names: { g: 'x' } }, { claimMappings })).toMatch('does not say where');
      expect(await claimed(elsewhere({ endpoint: 'http://x' }), { claimMappings })).toMatch(
        'no https address',
      );
      const failed = await claimed(elsewhere(), { claimMappings });
      expect(failed).toBe('the response has the status 404');
    });
  });

  it('maps by expressions', async () => {
    const rest: Partial<JwtConfiguration> = {
      claimMappings: {
        username: { expression: "'x-' + claims.sub" },
        groups: { expression: 'claims.roles.split(",")' },
        uid: { expression: 'string(claims.n)' },
        extra: [
          { key: 'example.com/all', valueExpression: 'claims.list' },
          { key: 'example.com/none', valueExpression: "''" },
        ],
      },
    };
    expect(await claimed({ roles: 'a,b,', n: 5, list: ['q', ''] }, rest)).toEqual({
      name: 'x-anna',
      groups: ['a', 'b'],
      uid: '5',
      extra: { 'example.com/all': ['q'] },
    });
    expect(await claimed({ n: 5, list: [] }, rest)).toBe('no such key: roles');
    expect(await claimed({ roles: 'a', n: 5, list: [1] }, rest)).toMatch('must give a string or a list');
  });

  it('requires its validation rules, of claims and of the user', async () => {
    const rest: Partial<JwtConfiguration> = {
      claimValidationRules: [
        { claim: 'hd', requiredValue: 'home' },
        { expression: 'claims.age >= 18', message: 'too young' },
      ],
      userValidationRules: [{ expression: "!user.username.endsWith('root') && user.uid == ''" }],
    };
    expect(await claimed({ hd: 'home', age: 18 }, rest)).toMatchObject({ name: 'i:anna' });
    expect(await claimed({ age: 18 }, rest)).toBe('the token has no claim "hd"');
    expect(await claimed({ hd: 'away', age: 18 }, rest)).toBe(
      'the claim "hd" has not the value that is required',
    );
    expect(await claimed({ hd: 'home', age: 17 }, rest)).toBe(
      'the condition "claims.age >= 18" is not met: too young',
    );
    expect(await claimed({ hd: 'home', age: 18, sub: 'root' }, rest)).toMatch(
      /^the condition .* is not met$/,
    );
  });

  it('never fails, for any token', async () => {
    const authenticator = create();
    const part = fc.oneof(fc.base64String(), fc.constant(btoa('{"alg":"ES256"}')), fc.json().map(btoaText));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        expect(await ask(authenticator, parts.join('.'))).toBeTypeOf('string');
      }),
    );
  });

  it('rejects an invalid configuration', () => {
    expect(() => create({ claimMappings: {} })).toThrow(
      'claimMappings.username: Required value: claim or expression is required',
    );
  });
});

const btoaText = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/=+$/, '');
