import type { Vocabulary } from '@ashlar/core';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  type AccessServer,
  accessOptions,
  accessPaths,
  forEachAccess,
  toAccessServer,
} from './access-server.fixture.ts';

import { storeBootstrapToken } from './bootstrap-token.fixture.ts';

const TOKEN = 'abcdef.0123456789abcdef';

/** The user of a token, or the status of the rejection. */
async function who(server: AccessServer, token = TOKEN): Promise<unknown> {
  const path = `${accessPaths(server.api.vocabulary).authentication}/selfsubjectreviews`;
  const { status, body } = await server.as(token).post(path, {});
  return status === 201 ? (body.status as { readonly userInfo: unknown }).userInfo : status;
}

const KNOWN = {
  username: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', 'system:authenticated'],
};

forEachAccess('Bootstrap token Secret', (test) => {
  test('A050: it is in the system namespace', async ({ access }) => {
    await storeBootstrapToken(access, { namespace: 'a' });
    expect(await who(access)).toBe(401);
    await storeBootstrapToken(access);
    expect(await who(access)).toEqual(KNOWN);
  });

  test('A051: it is of the type of bootstrap tokens', async ({ access }) => {
    await storeBootstrapToken(access, { type: 'Opaque' });
    expect(await who(access)).toBe(401);
  });

  test('A052: it is named after the id', async ({ access }) => {
    for (const name of ['abcdef', 'bootstrap-token-abcdeg', 'bootstrap-token-abcdef-x'])
      await storeBootstrapToken(access, { name });
    expect(await who(access)).toBe(401);
    await storeBootstrapToken(access);
    expect(await who(access)).toEqual(KNOWN);
  });

  test('A053: a description is optional', async ({ access }) => {
    await storeBootstrapToken(access, { data: { description: 'Der erste Knoten.' } });
    expect(await who(access)).toEqual(KNOWN);
  });

  test('A053: a description may be absent', async ({ access }) => {
    await storeBootstrapToken(access);
    expect(await who(access)).toEqual(KNOWN);
  });

  test.for([undefined, '', 'abcdeg'])(
    'A054: without its id, as with %j, it is not a token',
    async (id, { access }) => {
      await storeBootstrapToken(access, { data: { 'token-id': id } });
      expect(await who(access)).toBe(401);
    },
  );

  test.for(['abcde', 'abcdefg', 'abc-ef', 'abc.ef'])('A054: %j is not an id', async (id, { access }) => {
    await storeBootstrapToken(access, { name: `bootstrap-token-${id}`, data: { 'token-id': id } });
    expect(await who(access, `${id}.0123456789abcdef`)).toBe(401);
  });

  test.for([undefined, '', '0123456789abcdeg'])(
    'A055: without its secret, as with %j, it is not a token',
    async (secret, { access }) => {
      await storeBootstrapToken(access, { data: { 'token-secret': secret } });
      expect(await who(access)).toBe(401);
      expect(await who(access, 'abcdef.')).toBe(401);
    },
  );

  test.for(['0123456789abcde', '0123456789abcdef0', '0123456789ABCDEF', '01234567-9abcdef'])(
    'A055: %j is not a secret',
    async (secret, { access }) => {
      await storeBootstrapToken(access, { data: { 'token-secret': secret } });
      expect(await who(access, `abcdef.${secret}`)).toBe(401);
    },
  );

  async function serverAt(vocabulary: Vocabulary) {
    const api = await createTestServer(accessOptions(vocabulary));
    return { api, clock: api.clock, server: toAccessServer(api) };
  }

  test('A056: it expires', async ({ vocabulary }) => {
    const { api, clock, server } = await serverAt(vocabulary);
    await using _ = api;
    await storeBootstrapToken(server, { data: { expiration: '2001-01-01T00:01:00Z' } });
    await clock.advance(59_999);
    expect(await who(server)).toEqual(KNOWN);
    await clock.advance(1);
    expect(await who(server)).toBe(401);
  });

  test('A056: without an expiration it does not expire', async ({ vocabulary }) => {
    const { api, clock, server } = await serverAt(vocabulary);
    await using _ = api;
    await storeBootstrapToken(server);
    await clock.advance(365 * 24 * 3_600_000);
    expect(await who(server)).toEqual(KNOWN);
  });

  test.for(['soon', '2030', '2030-01-01', 'Jan 1 2030 UTC', '2030-13-01T00:00:00Z'])(
    'A056: %s is not a time',
    async (expiration, { access }) => {
      await storeBootstrapToken(access, { data: { expiration } });
      expect(await who(access)).toBe(401);
    },
  );

  test.for([undefined, 'false', '', 'yes', 'True'])(
    'A057: it does not authenticate if it says %j',
    async (usage, { access }) => {
      await storeBootstrapToken(access, { data: { 'usage-bootstrap-authentication': usage } });
      expect(await who(access)).toBe(401);
    },
  );

  test('A057: usage for signing does not authenticate', async ({ access }) => {
    const data = { 'usage-bootstrap-authentication': undefined, 'usage-bootstrap-signing': 'true' };
    await storeBootstrapToken(access, { data });
    expect(await who(access)).toBe(401);
  });

  test('A059: it may give groups of bootstrappers', async ({ access }) => {
    const groups = ['system:bootstrappers:workers', 'system:bootstrappers:a:b-c'];
    await storeBootstrapToken(access, { data: { 'auth-extra-groups': groups.join(',') } });
    expect(await who(access)).toEqual({
      ...KNOWN,
      groups: ['system:bootstrappers', ...groups.sort(), 'system:authenticated'],
    });
  });

  test.for([
    'system:masters',
    'workers',
    'system:bootstrappers',
    'system:bootstrappers:',
    'system:bootstrappers:a,x',
  ])('A059: it cannot have %s', async (groups, { access }) => {
    await storeBootstrapToken(access, { data: { 'auth-extra-groups': groups } });
    expect(await who(access)).toBe(401);
  });

  test('A060: the token is id, dot and secret', async ({ access }) => {
    await storeBootstrapToken(access);
    expect(await who(access, 'abcdef.0123456789abcdef')).toEqual(KNOWN);
    for (const other of [
      'abcdef0123456789abcdef',
      'abcdef:0123456789abcdef',
      '0123456789abcdef.abcdef',
      'abcdef',
    ])
      expect(await who(access, other)).toBe(401);
  });
});
