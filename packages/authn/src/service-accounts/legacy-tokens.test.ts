import { type ApiObject, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { importJWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { generateTestKey } from './service-account-keys.fixture.ts';
import { createServiceAccountTokens } from './service-account-tokens.ts';

const key = await generateTestKey('one');
const PREFIX = 'kubernetes.io/serviceaccount';
const CLAIMS = {
  sub: 'system:serviceaccount:ns:robot',
  [`${PREFIX}/namespace`]: 'ns',
  [`${PREFIX}/secret.name`]: 'kept',
  [`${PREFIX}/service-account.name`]: 'robot',
  [`${PREFIX}/service-account.uid`]: 'u1',
};

const sign = async (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ iss: 'kubernetes/serviceaccount', ...claims })
    .setProtectedHeader({ alg: key.algorithm, kid: key.id })
    .sign(await importJWK(key.privateKey, key.algorithm));

const TOKEN = await sign(CLAIMS);

interface Stored {
  readonly account?: ApiObject['metadata'] & { readonly secrets?: readonly object[] };
  readonly secret?: ApiObject['metadata'];
  /** The token in the secret. */
  readonly token?: string;
}

function authenticate(token: string, { account = {}, secret = {}, token: kept = TOKEN }: Stored) {
  const { secrets, ...metadata } = account;
  const found: Record<string, ApiObject | undefined> = {
    serviceaccounts: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { uid: 'u1', ...metadata },
      secrets,
    },
    secrets: {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: secret },
      data: { token: btoa(kept) },
    },
  };
  return createServiceAccountTokens({
    ambient: {
      clock: { now: () => 0, monotonic: () => 0, setTimer: () => ({ clear() {} }) },
      vocabulary,
    },
    issuers: ['https://issuer.example'],
    keys: [key],
    apiAudiences: ['api'],
    lookup: {
      get: async (resource, _, name) => (name === 'missing' ? undefined : found[resource]),
    },
  }).authenticateToken(token);
}

describe('tokens of secrets', () => {
  it('return their account, with a warning of those that were made automatically', async () => {
    expect(await authenticate(TOKEN, {})).toMatchObject({
      outcome: 'authenticated',
      user: { name: 'system:serviceaccount:ns:robot', uid: 'u1' },
      annotations: { 'authentication.kubernetes.io/legacy-token-manual-secret': 'kept' },
    });
    expect(await authenticate(TOKEN, { account: { secrets: [{ name: 'kept' }] } })).toMatchObject({
      warnings: [expect.stringContaining('auto-generated secret-based tokens')],
    });
  });

  it.each([
    ['sub', 'sub claim is missing'],
    [`${PREFIX}/namespace`, 'namespace claim is missing'],
    [`${PREFIX}/secret.name`, 'secretName claim is missing'],
    [`${PREFIX}/service-account.name`, 'serviceAccountName claim is missing'],
    [`${PREFIX}/service-account.uid`, 'serviceAccountUID claim is missing'],
  ])('are rejected without %s', async (name, message) => {
    const token = await sign({ ...CLAIMS, [name]: undefined });
    expect(await authenticate(token, { token })).toMatchObject({ outcome: 'rejected', error: { message } });
  });

  it.each<[string, Record<string, string>, Stored, string]>([
    ['subject', { sub: 'system:serviceaccount:ns:other' }, {}, 'sub claim is invalid'],
    ['secret', { [`${PREFIX}/secret.name`]: 'missing' }, {}, 'Token has been invalidated'],
    ['secret', {}, { secret: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'Token has been invalidated'],
    ['secret', {}, { token: 'x' }, "Token does not match server's copy"],
    ['account', {}, { account: { uid: 'u2' } }, 'ServiceAccount UID (u2) does not match claim (u1)'],
    [
      'account',
      {},
      { account: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
      'ServiceAccount ns/robot has been deleted',
    ],
    [
      'account',
      { sub: 'system:serviceaccount:ns:missing', [`${PREFIX}/service-account.name`]: 'missing' },
      {},
      'serviceaccounts "missing" not found',
    ],
  ])('are rejected for their %s: %j %j', async (_, claims, stored, message) => {
    const token = await sign({ ...CLAIMS, ...claims });
    expect(await authenticate(token, { token, ...stored })).toMatchObject({
      outcome: 'rejected',
      error: { message },
    });
  });

  it('are rejected once they are marked, with what to do instead', async () => {
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' };
    expect(await authenticate(TOKEN, { secret: { labels } })).toMatchObject({
      error: {
        message:
          "the token in secret ns/kept for service account ns/robot has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the 'kubernetes.io/legacy-token-invalid-since' label from the secret to temporarily allow use of this token",
      },
    });
  });
});
