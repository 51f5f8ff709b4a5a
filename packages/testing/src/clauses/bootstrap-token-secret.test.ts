import { systemNamespace, type Vocabulary } from '@ashlar/core';
import { expect } from 'vitest';
import { createTestServer } from '../lib/create-test-server.ts';
import {
  type AccessServer,
  accessOptions,
  accessPaths,
  forEachAccess,
  toAccessServer,
} from './access-server.fixture.ts';

const TOKEN = 'abcdef.0123456789abcdef';

/** What a secret of a token has where a test says nothing else; undefined takes away. */
interface SecretParts {
  readonly namespace?: string;
  readonly type?: string;
  readonly name?: string;
  readonly data?: Readonly<Record<string, string | undefined>>;
}

async function storeSecret({ api, root }: AccessServer, parts: SecretParts = {}): Promise<void> {
  const { labelDomain } = api.vocabulary;
  const {
    namespace = systemNamespace(api.vocabulary, 'system'),
    type = `bootstrap.${labelDomain}/token`,
    name = 'bootstrap-token-abcdef',
  } = parts;
  const stringData = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    ...parts.data,
  };
  const secret = { metadata: { name }, type, stringData };
  expect(await root.post(`/api/v1/namespaces/${namespace}/secrets`, secret)).toMatchObject({ status: 201 });
}

/** Who a token is, or the status of the refusal. */
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
    await storeSecret(access, { namespace: 'a' });
    expect(await who(access)).toBe(401);
    await storeSecret(access);
    expect(await who(access)).toEqual(KNOWN);
  });

  test('A051: it is of the type of bootstrap tokens', async ({ access }) => {
    await storeSecret(access, { type: 'Opaque' });
    expect(await who(access)).toBe(401);
  });

  test('A052: it is named after the id', async ({ access }) => {
    for (const name of ['abcdef', 'bootstrap-token-abcdeg', 'bootstrap-token-abcdef-x'])
      await storeSecret(access, { name });
    expect(await who(access)).toBe(401);
    await storeSecret(access);
    expect(await who(access)).toEqual(KNOWN);
  });

  test('A053: a description may be there', async ({ access }) => {
    await storeSecret(access, { data: { description: 'Der erste Knoten.' } });
    expect(await who(access)).toEqual(KNOWN);
  });

  test('A053: a description may be missing', async ({ access }) => {
    await storeSecret(access);
    expect(await who(access)).toEqual(KNOWN);
  });

  test.for([undefined, '', 'abcdeg'])(
    'A054: without its id, as with %j, it gives no token',
    async (id, { access }) => {
      await storeSecret(access, { data: { 'token-id': id } });
      expect(await who(access)).toBe(401);
    },
  );

  test.for(['abcde', 'abcdefg', 'abc-ef', 'abc.ef'])('A054: %j is no id', async (id, { access }) => {
    await storeSecret(access, { name: `bootstrap-token-${id}`, data: { 'token-id': id } });
    expect(await who(access, `${id}.0123456789abcdef`)).toBe(401);
  });

  test.for([undefined, '', '0123456789abcdeg'])(
    'A055: without its secret, as with %j, it gives no token',
    async (secret, { access }) => {
      await storeSecret(access, { data: { 'token-secret': secret } });
      expect(await who(access)).toBe(401);
      expect(await who(access, 'abcdef.')).toBe(401);
    },
  );

  test.for(['0123456789abcde', '0123456789abcdef0', '0123456789ABCDEF', '01234567-9abcdef'])(
    'A055: %j is no secret',
    async (secret, { access }) => {
      await storeSecret(access, { data: { 'token-secret': secret } });
      expect(await who(access, `abcdef.${secret}`)).toBe(401);
    },
  );

  async function serverAt(vocabulary: Vocabulary) {
    const api = await createTestServer(accessOptions(vocabulary));
    return { api, clock: api.clock, server: toAccessServer(api) };
  }

  test('A056: it ends with its time', async ({ vocabulary }) => {
    const { api, clock, server } = await serverAt(vocabulary);
    await using _ = api;
    await storeSecret(server, { data: { expiration: '2001-01-01T00:01:00Z' } });
    await clock.advance(59_999);
    expect(await who(server)).toEqual(KNOWN);
    await clock.advance(1);
    expect(await who(server)).toBe(401);
  });

  test('A056: without a time it does not end', async ({ vocabulary }) => {
    const { api, clock, server } = await serverAt(vocabulary);
    await using _ = api;
    await storeSecret(server);
    await clock.advance(365 * 24 * 3_600_000);
    expect(await who(server)).toEqual(KNOWN);
  });

  test.for(['soon', '2030', '2030-01-01', 'Jan 1 2030 UTC', '2030-13-01T00:00:00Z'])(
    'A056: %s is no time',
    async (expiration, { access }) => {
      await storeSecret(access, { data: { expiration } });
      expect(await who(access)).toBe(401);
    },
  );

  test.for([undefined, 'false', '', 'yes', 'True'])(
    'A057: it is not for callers where it says %j',
    async (usage, { access }) => {
      await storeSecret(access, { data: { 'usage-bootstrap-authentication': usage } });
      expect(await who(access)).toBe(401);
    },
  );

  test('A057: use for signing lets nobody in', async ({ access }) => {
    const data = { 'usage-bootstrap-authentication': undefined, 'usage-bootstrap-signing': 'true' };
    await storeSecret(access, { data });
    expect(await who(access)).toBe(401);
  });

  test('A059: it may give groups of bootstrappers', async ({ access }) => {
    const groups = ['system:bootstrappers:workers', 'system:bootstrappers:a:b-c'];
    await storeSecret(access, { data: { 'auth-extra-groups': groups.join(',') } });
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
  ])('A059: it cannot give %s', async (groups, { access }) => {
    await storeSecret(access, { data: { 'auth-extra-groups': groups } });
    expect(await who(access)).toBe(401);
  });

  test('A060: the token is id, dot and secret', async ({ access }) => {
    await storeSecret(access);
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
