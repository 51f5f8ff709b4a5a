import { type Ambient, type ApiObject, toBase64Url, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { createCountedList } from '@ashlar/core/testing';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateTestKey } from './service-account-keys.fixture.ts';
import { issuerDocument, keySetDocument, type ServiceAccountSigningKey } from './service-account-keys.ts';
import { createServiceAccountTokenIssuer } from './service-account-token-issuer.ts';
import { createServiceAccountTokens } from './service-account-tokens.ts';

const START = 1_767_225_600;
const ISSUER = 'https://issuer.example';
const clock = (seconds: number) => ({
  now: () => seconds * 1000,
  monotonic: () => 0,
  setTimer: () => ({ clear() {} }),
});
const random = { bytes: (into: Uint8Array) => into.fill(7) };

let key: ServiceAccountSigningKey;
let other: ServiceAccountSigningKey;

beforeAll(async () => {
  key = await generateTestKey('one');
  other = await generateTestKey('two');
});

const objects = (...found: readonly [string, string][]): Map<string, ApiObject> =>
  new Map(
    found.map(
      ([path, uid]) => [path, { apiVersion: 'v1', kind: 'X', metadata: { name: path, uid } }] as const,
    ),
  );

/** A clock at the start that advances by five milliseconds whenever it is read. */
function slowClock() {
  let milliseconds = 0;
  return {
    ...clock(START),
    monotonic: () => {
      milliseconds += 5;
      return milliseconds;
    },
  };
}

function tokensAt(
  seconds: number,
  stored: ReadonlyMap<string, ApiObject>,
  ambient: Partial<Pick<Ambient, 'clock' | 'turns'>> = {},
) {
  return createServiceAccountTokens({
    ambient: { clock: clock(seconds), vocabulary, ...ambient },
    issuers: [ISSUER],
    keys: [key],
    apiAudiences: ['api'],
    lookup: {
      get: async (resource, namespace, name) =>
        stored.get([resource, namespace, name].filter((part) => part !== '').join('/')),
    },
  });
}

const issue = (more: object = {}, signing: ServiceAccountSigningKey = key) =>
  createServiceAccountTokenIssuer(ISSUER, signing, { random, vocabulary }).issue({
    namespace: 'ns',
    serviceAccount: { name: 'robot', uid: 'u1' },
    audiences: ['api', 'vault'],
    issuedAt: START,
    expiresAt: START + 600,
    ...more,
  });

const ROBOT = objects(['serviceaccounts/ns/robot', 'u1']);

describe('createServiceAccountTokens', () => {
  it('returns the account of a token', async () => {
    expect(await tokensAt(START, ROBOT).authenticateToken(await issue())).toEqual({
      outcome: 'authenticated',
      audiences: ['api'],
      user: {
        name: 'system:serviceaccount:ns:robot',
        uid: 'u1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
        extra: {
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)],
        },
      },
    });
  });

  it('compares audiences by the thousand in one pass', async () => {
    const audiences = Array.from({ length: 1_000 }, (_, i) => `a${i}`);
    const { list: requested, reads } = createCountedList(audiences);
    const token = await issue({ audiences });
    expect(await tokensAt(START, ROBOT).authenticateToken(token, requested)).toMatchObject({ audiences });
    expect(reads()).toBeLessThan(audiences.length * 20);
  });

  it('reads the claims of a long token with pauses', async () => {
    let pauses = 0;
    const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ };
    const audiences = Array.from({ length: 50_000 }, (_, i) => `a${i}`);
    const token = await issue({ audiences });
    const tokens = tokensAt(START, ROBOT, { turns, clock: slowClock() });
    expect(await tokens.authenticateToken(token, ['a1'])).toMatchObject({ audiences: ['a1'] });
    expect(pauses).toBeGreaterThan(5);
    const [head, , signature] = token.split('.');
    const nested = toBase64Url(
      new TextEncoder().encode(`{"iss":"x","a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    );
    expect(await tokens.authenticateToken(`${head}.${nested}.${signature}`)).toEqual({ outcome: 'none' });
  });

  it('checks the requested audience', async () => {
    const tokens = tokensAt(START, ROBOT);
    expect(await tokens.authenticateToken(await issue(), ['vault', 'x'])).toMatchObject({
      audiences: ['vault'],
    });
    expect(await tokens.authenticateToken(await issue({ audiences: ['a'] }), ['b'])).toMatchObject({
      outcome: 'rejected',
      error: { message: 'token audiences ["a"] is invalid for the target audiences ["b"]' },
    });
  });

  it.each([
    ['long before it is valid', -61, 'service account token is not valid yet'],
    ['long behind its end', 661, 'service account token has expired'],
  ])('rejects a token %s', async (_, seconds, message) => {
    expect(await tokensAt(START + seconds, ROBOT).authenticateToken(await issue())).toMatchObject({
      outcome: 'rejected',
      error: { message },
    });
  });

  it.each([-60, 660])('tolerates a clock skew of a minute: %d', async (seconds) => {
    const result = await tokensAt(START + seconds, ROBOT).authenticateToken(await issue());
    expect(result.outcome).toBe('authenticated');
  });

  const INVALIDATED = 'service account token has been invalidated';

  it.each<[string, object, ReadonlyMap<string, ApiObject>, string]>([
    ['account is gone', {}, objects(), 'serviceaccounts "robot" not found'],
    [
      'account is another of that name',
      {},
      objects(['serviceaccounts/ns/robot', 'u2']),
      'service account UID (u2) does not match claim (u1)',
    ],
    ['secret is gone', { secret: { name: 's', uid: 's1' } }, ROBOT, INVALIDATED],
    ['node is gone', { node: { name: 'n', uid: 'n1' } }, ROBOT, INVALIDATED],
    ...(['secret', 'pod', 'node'] as const).map(
      (kind) =>
        [
          `${kind} is another of that name`,
          { [kind]: { name: 'x', uid: 'x1' } },
          objects(['serviceaccounts/ns/robot', 'u1'], [kind === 'node' ? 'nodes/x' : `${kind}s/ns/x`, 'x2']),
          `${kind} UID (x2) does not match service account ${kind} ref claim (x1)`,
        ] as [string, object, ReadonlyMap<string, ApiObject>, string],
    ),
  ])('rejects a token whose %s', async (_, more, stored, message) => {
    expect(await tokensAt(START, stored).authenticateToken(await issue(more))).toMatchObject({
      outcome: 'rejected',
      error: { message },
    });
  });

  it.each([
    ['serviceaccounts/ns/robot', 'service account ns/robot has been deleted'],
    ['pods/ns/x', INVALIDATED],
  ])('rejects a token a minute after the deletion of %s began', async (path, message) => {
    const stored = objects(['serviceaccounts/ns/robot', 'u1'], ['pods/ns/x', 'x1']);
    Object.assign(stored.get(path)?.metadata ?? {}, {
      deletionTimestamp: new Date(START * 1000).toISOString(),
    });
    const token = await issue({ pod: { name: 'x', uid: 'x1' } });
    expect(await tokensAt(START + 60, stored).authenticateToken(token)).toMatchObject({
      outcome: 'authenticated',
    });
    expect(await tokensAt(START + 61, stored).authenticateToken(token)).toMatchObject({
      error: { message },
    });
  });

  it('returns the objects that a token is bound to', async () => {
    const stored = objects(['serviceaccounts/ns/robot', 'u1'], ['pods/ns/p', 'p1']);
    const token = await issue({ pod: { name: 'p', uid: 'p1' }, node: { name: 'n' } });
    expect(await tokensAt(START, stored).authenticateToken(token)).toMatchObject({
      user: {
        extra: {
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['p1'],
          'authentication.kubernetes.io/node-name': ['n'],
        },
      },
    });
  });

  it('rejects tokens of other keys, and modified ones', async () => {
    const tokens = tokensAt(START, ROBOT);
    expect(await tokens.authenticateToken(await issue({}, other))).toMatchObject({
      outcome: 'rejected',
      error: { message: 'invalid signature, no keys found' },
    });
    const token = await issue();
    const [head = '', body = '', signature = ''] = token.split('.');
    const forged = btoa(atob(body).replace('robot', 'admin')).replace(/=+$/, '');
    for (const wrong of [`${head}.${forged}.${signature}`, `${token}x`])
      expect(await tokens.authenticateToken(wrong)).toMatchObject({
        outcome: 'rejected',
        error: { message: 'square/go-jose: error in cryptographic primitive' },
      });
  });

  it('annotates tokens that should have been replaced', async () => {
    const token = await issue({ warnAfter: START + 60 });
    const annotations = async (seconds: number): Promise<unknown> => {
      const result = await tokensAt(START + seconds, ROBOT).authenticateToken(token);
      return result.outcome === 'authenticated' && result.annotations;
    };
    expect(await annotations(60)).toBeUndefined();
    expect(await annotations(75)).toEqual({
      'authentication.kubernetes.io/stale-token':
        'subject: system:serviceaccount:ns:robot, seconds after warning threshold: 15',
    });
  });

  it('accepts one spelling of a token: without padding and line ends', async () => {
    const token = await issue();
    for (const other of [`${token}=`, `${token}==`, `${token}\n`, token.replace('.', '=.')]) {
      expect(await tokensAt(START, ROBOT).authenticateToken(other)).toEqual({ outcome: 'none' });
    }
  });

  it('accepts only the algorithm of its keys', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(key.publicKey));
    const token = await new SignJWT({ iss: ISSUER, aud: ['api'], exp: START + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret);
    expect(await tokensAt(START, ROBOT).authenticateToken(token)).toMatchObject({ outcome: 'rejected' });
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa(`{"iss":"${ISSUER}"}`)}.`.replaceAll('=', '');
    expect(await tokensAt(START, ROBOT).authenticateToken(unsigned)).toMatchObject({ outcome: 'rejected' });
  });

  it.each(['', 'a.b', 'a.b.c', '...', 'eyJ.eyJ.x'])('ignores %j', async (token) => {
    expect(await tokensAt(START, ROBOT).authenticateToken(token)).toEqual({ outcome: 'none' });
  });
});

describe('issuer documents', () => {
  it('publish only the public half of keys', () => {
    const { keys } = keySetDocument([key]);
    expect(Object.keys(keys[0] ?? {})).toEqual(['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y']);
    expect(issuerDocument(ISSUER, 'u', [key, other])).toMatchObject({
      issuer: ISSUER,
      jwks_uri: 'u',
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });
});
