import { type ApiObject, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createBootstrapTokens } from './bootstrap-tokens.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const TOKEN = 'abcdef.0123456789abcdef';

function tokensOver(data: Readonly<Record<string, string>>, more: object = {}) {
  const fields = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    ...data,
  };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, btoa(text)])),
    ...more,
  } as ApiObject;
  return createBootstrapTokens({
    ambient: { clock: { now: () => NOW, monotonic: () => 0, setTimer: () => ({ clear() {} }) }, vocabulary },
    secret: async (namespace, name) =>
      namespace === 'kube-system' && name === 'bootstrap-token-abcdef' ? secret : undefined,
  });
}

describe('createBootstrapTokens', () => {
  it('authenticates the token of a secret, with its groups', async () => {
    const tokens = tokensOver({ 'auth-extra-groups': 'system:bootstrappers:z,system:bootstrappers:a' });
    expect(await tokens.authenticateToken(TOKEN)).toEqual({
      outcome: 'authenticated',
      user: {
        name: 'system:bootstrap:abcdef',
        groups: ['system:bootstrappers', 'system:bootstrappers:a', 'system:bootstrappers:z'],
      },
    });
  });

  it.each([
    ['another secret', { 'token-secret': '0123456789abcdee' }],
    ['another id', { 'token-id': 'abcdee' }],
    ['an end that has come', { expiration: '2026-01-01T00:00:00Z' }],
    ['an end that nobody can read', { expiration: 'soon' }],
    ['an end that is a day alone', { expiration: '2030-01-01' }],
    ['an end as people write it', { expiration: 'Jan 1 2030 UTC' }],
    ['another use', { 'usage-bootstrap-authentication': 'yes' }],
  ])('rejects it with %s', async (_, data) => {
    expect(await tokensOver(data).authenticateToken(TOKEN)).toEqual({ outcome: 'none' });
  });

  it.each([
    ['of another type', { type: 'Opaque' }],
    ['that is being deleted', { metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ])('rejects a secret %s', async (_, more) => {
    expect(await tokensOver({}, more).authenticateToken(TOKEN)).toEqual({ outcome: 'none' });
  });

  it.each(['', 'abcdef', 'ABCDEF.0123456789abcdef', `${TOKEN}0`, 'zzzzzz.0123456789abcdef'])(
    'ignores %j',
    async (token) => {
      expect(await tokensOver({}).authenticateToken(token)).toEqual({ outcome: 'none' });
    },
  );

  it('rejects a token with disallowed groups', async () => {
    const tokens = tokensOver({ 'auth-extra-groups': 'system:masters' });
    expect(await tokens.authenticateToken(TOKEN)).toMatchObject({ outcome: 'rejected' });
  });
});
