import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { fakeRequest } from './fake-request.fixture.ts';
import { withoutCredentials } from './without-credentials.ts';

describe('withoutCredentials', () => {
  const secret = {
    authorization: 'Bearer t',
    'x-remote-user': 'a',
    'x-remote-uid': '1',
    'x-remote-group': ['g', 'h'],
    'x-remote-extra-scopes': 's',
    'impersonate-user': 'b',
    'impersonate-extra-x': 'y',
    'sec-websocket-protocol': 'base64url.bearer.authorization.orch.io.dA, v4',
  };
  const plain = { accept: 'text/plain', 'x-remote': 'yes', 'x-many': ['1', '2'] };
  const webSocket = { protocols: ['base64url.bearer.authorization.orch.io.dA', 'v4'] };
  const request = fakeRequest({ url: '/x?y', headers: { ...secret, ...plain }, webSocket });
  const hidden = withoutCredentials(request, orchVocabulary);

  it("removes the caller's credentials", () => {
    for (const name of Object.keys(secret)) {
      expect(hidden.headers.get(name.toUpperCase())).toBeUndefined();
      expect(hidden.headers.all(name)).toEqual([]);
    }
    expect([...hidden.headers.entries()].map(([name]) => name)).toEqual([
      'accept',
      'x-remote',
      'x-many',
      'x-many',
    ]);
    expect(hidden.webSocket).toEqual({ protocols: ['v4'] });
  });

  it('keeps the rest of the request', async () => {
    expect(hidden).toMatchObject({ method: 'GET', url: '/x?y', connection: { encrypted: true } });
    expect(hidden.headers.all('X-Many')).toEqual(['1', '2']);
    expect(hidden.signal).toBe(request.signal);
    expect(await hidden.body(1)).toEqual(new Uint8Array(0));
  });
});
