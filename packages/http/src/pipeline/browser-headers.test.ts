import type { Authenticator } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';

const APP = 'https://app.example.org';
const NOTES = '/api/v1/namespaces/x/notes';
const allowsOrigin = (origin: string): boolean => origin === APP;

const SHARED = {
  'access-control-allow-origin': APP,
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

const nobody: Authenticator = {
  authenticate: () => ({ outcome: 'rejected', error: new Error('unknown') }),
};

const sharing = (headers: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('pages of an allowed origin', () => {
  it.each([
    ['GET', '/version', 200],
    ['GET', NOTES, 200],
    ['GET', `${NOTES}/none`, 404],
    ['GET', '/none', 404],
    ['PUT', NOTES, 405],
  ])('may read the response to %s %s', async (method, path, status) => {
    const api = createTestApi({ allowsOrigin });
    const response = await api.ask(method, path, { headers: { origin: APP } });
    expect([response.status, response.headers]).toEqual([status, expect.objectContaining(SHARED)]);
  });

  it('may read that they are not authenticated', async () => {
    const api = createTestApi({ allowsOrigin, authenticator: nobody });
    const response = await api.ask('GET', NOTES, { headers: { origin: APP } });
    expect([response.status, response.headers]).toEqual([401, expect.objectContaining(SHARED)]);
  });

  it('may ask without credentials whether they may send a request', async () => {
    const api = createTestApi({ allowsOrigin, authenticator: nobody });
    const { status, headers } = await api.ask('OPTIONS', NOTES, { headers: { origin: APP } });
    expect([status, headers]).toEqual([
      204,
      { ...SHARED, 'audit-id': expect.any(String), 'cache-control': 'no-cache, private' },
    ]);
  });
});

describe('pages of other origins', () => {
  it.each([
    [{ origin: 'https://evil.example' }, { allowsOrigin }],
    [{ origin: 'null' }, { allowsOrigin }],
    [{ origin: '' }, { allowsOrigin: () => true }],
    [{}, { allowsOrigin: () => true }],
    [{ origin: APP }, {}],
  ])('may not read a response: %j', async (headers, options) => {
    const api = createTestApi(options);
    expect(sharing((await api.ask('GET', NOTES, { headers })).headers)).toEqual([]);
    const asked = await api.ask('OPTIONS', NOTES, { headers });
    expect([asked.status, sharing(asked.headers)]).toEqual([405, []]);
  });
});

it('tells browsers to use TLS', async () => {
  const api = createTestApi({ strictTransportSecurity: 'max-age=31536000; preload' });
  for (const path of ['/version', '/none', NOTES])
    expect((await api.ask('GET', path)).headers['strict-transport-security']).toBe(
      'max-age=31536000; preload',
    );
});
