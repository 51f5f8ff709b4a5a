import { kubernetesVocabulary, orchVocabulary, toBase64Url } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { fakeRequest } from '../request/fake-request.fixture.ts';
import { createWebSocketAuthenticator } from './web-socket-token.ts';

const user = { name: 'anna', groups: [] };
const authenticator = createWebSocketAuthenticator(
  {
    authenticateToken: (token) =>
      token === 'säcret' ? { outcome: 'authenticated', user } : { outcome: 'none' },
  },
  orchVocabulary,
);

const offer = (token: string): string =>
  `base64url.bearer.authorization.orch.io.${toBase64Url(new TextEncoder().encode(token))}`;
const ask = (...protocols: string[]) => authenticator.authenticate(fakeRequest({ webSocket: { protocols } }));

describe('createWebSocketAuthenticator', () => {
  it('finds the token beside a protocol, in any order', () => {
    expect(ask(offer('säcret'), 'a')).toEqual({ outcome: 'authenticated', user });
    expect(ask('a', offer('säcret'), 'b')).toEqual({ outcome: 'authenticated', user });
  });

  it('ignores requests without a token, or without a WebSocket', () => {
    expect(ask()).toEqual({ outcome: 'none' });
    expect(ask('a', 'b')).toEqual({ outcome: 'none' });
    expect(ask('a', offer(''))).toEqual({ outcome: 'none' });
    expect(ask(offer(''))).toEqual({ outcome: 'none' });
    expect(ask('a', 'base64url.bearer.authorization.k8s.io.YQ')).toEqual({ outcome: 'none' });
    expect(authenticator.authenticate(fakeRequest())).toEqual({ outcome: 'none' });
  });

  it.each([
    ['nobody’s', [offer('other'), 'a'], 'invalid bearer token'],
    ['no base64url', ['base64url.bearer.authorization.orch.io.!', 'a'], 'invalid bearer token'],
    ['no text', ['base64url.bearer.authorization.orch.io._w', 'a'], 'invalid bearer token'],
    ['one of two', [offer('säcret'), offer('säcret'), 'a'], 'several bearer tokens'],
    ['alone', [offer('säcret')], 'sub-protocol is missing'],
  ])('rejects a token that is %s', async (_, protocols, message) => {
    const result = await ask(...protocols);
    expect(result).toMatchObject({
      outcome: 'rejected',
      error: { message: expect.stringContaining(message) },
    });
  });

  it('supports promises, and the given vocabulary', async () => {
    const deferred = createWebSocketAuthenticator(
      { authenticateToken: async () => ({ outcome: 'none' }) },
      kubernetesVocabulary,
    );
    const protocols = ['base64url.bearer.authorization.k8s.io.YQ', 'a'];
    const result = await deferred.authenticate(fakeRequest({ webSocket: { protocols } }));
    expect(result).toMatchObject({ outcome: 'rejected' });
  });
});
