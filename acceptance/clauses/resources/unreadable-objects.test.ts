import {
  type Authorizer,
  encodeBase64,
  kubernetesVocabulary,
  orchVocabulary,
  type Vocabulary,
} from '@ashlar/core';
import { type EncryptionConfiguration, parseEncryptionConfiguration } from '@ashlar/encryption';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { createMemoryStore, type MemoryStore } from '@ashlar/storage';
import { afterEach, describe, expect, it } from 'vitest';

// Answers as the reference gave them with a configuration that had lost the key of some secrets.

const SECRETS = '/api/v1/namespaces/default/secrets';
const LOST = 'no matching key was found for the provided AES transformer';
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const corrupt = (key: string): string =>
  `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: data from the storage is not transformable revision=0: ${LOST}`;

function configuration(vocabulary: Vocabulary, ...names: readonly string[]): EncryptionConfiguration {
  const keys = names.map((name) => ({
    name,
    secret: encodeBase64(new Uint8Array(32).fill(name.charCodeAt(0))),
  }));
  const document = {
    apiVersion: `apiserver.config.${vocabulary.groupDomain}/v1`,
    kind: 'EncryptionConfiguration',
    resources: [
      { resources: ['secrets', 'things.example.com'], providers: [{ aesgcm: { keys } }, { identity: {} }] },
    ],
  };
  return parseEncryptionConfiguration(new TextEncoder().encode(JSON.stringify(document)), {
    vocabulary,
    file: 'keys.yaml',
  });
}

/** Allows everything but the verb of unsafe deletions to users other than `admin`. */
const authorizer: Authorizer = {
  authorize: ({ verb, user }) =>
    verb === 'unsafe-delete-ignore-read-errors' && user.name !== 'admin'
      ? { decision: 'no-opinion', reason: 'not this one' }
      : { decision: 'allow' },
} as Authorizer;

interface Answer {
  readonly code: number;
  readonly body: Record<string, unknown>;
}

interface Fixture {
  readonly server: ApiServer;
  readonly engine: MemoryStore;
  call(method: string, path: string, body?: unknown, type?: string): Promise<Answer>;
}

let servers: ApiServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

/** A server with the secret `a`, which it can no longer read, and `b`. */
async function withLostKey(vocabulary: Vocabulary, gates: string, user = 'admin'): Promise<Fixture> {
  const engine = createMemoryStore({
    clock: { now: Date.now, monotonic: () => 0, setTimer: () => ({ clear() {} }) },
  });
  const server = createApiServer({
    vocabulary,
    storage: engine,
    encryption: { configuration: configuration(vocabulary, 'a'), reload: true },
    authorizer: () => authorizer,
    authenticator: () =>
      ({
        authenticate: async () => ({ outcome: 'authenticated', user: { name: user, groups: [] } }),
      }) as never,
    featureGates: parseFeatureGates(gates),
    controllers: false,
  });
  servers.push(server);
  await server.ready;
  const call: Fixture['call'] = async (method, path, body, type = 'application/json') => {
    const response = await server.fetch(
      new Request(`http://server${path}`, {
        method,
        headers: { 'content-type': type },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return { code: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const secret = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, finalizers: ['example.com/x'] },
  });
  expect((await call('POST', SECRETS, secret('a'))).code).toBe(201);
  await server.useEncryption(configuration(vocabulary, 'b'));
  expect((await call('POST', SECRETS, secret('b'))).code).toBe(201);
  return { server, engine, call };
}

const ON = 'AllowUnsafeMalformedObjectDeletion=true';
const OFF = 'AllowUnsafeMalformedObjectDeletion=false';
const unsafe = { kind: 'DeleteOptions', apiVersion: 'v1', [OPTION]: true };

describe.each([
  ['kubernetes', kubernetesVocabulary],
  ['orch', orchVocabulary],
])('an object whose key was lost (%s)', (_, vocabulary) => {
  it('fails requests for it, and lists', async () => {
    const { call } = await withLostKey(vocabulary, OFF);
    const failed = (message: string) => ({
      code: 500,
      body: {
        message: `Internal error occurred: ${message}`,
        reason: 'InternalError',
        details: { causes: [{ message }] },
      },
    });
    expect(await call('GET', `${SECRETS}/a`)).toMatchObject(failed(LOST));
    expect(await call('DELETE', `${SECRETS}/a`)).toMatchObject(failed(LOST));
    expect(await call('DELETE', `${SECRETS}/a`, unsafe)).toMatchObject(failed(LOST));
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    expect(await call('PUT', `${SECRETS}/a`, object)).toMatchObject(failed(LOST));
    const patched = await call('PATCH', `${SECRETS}/a`, { data: {} }, 'application/merge-patch+json');
    expect(patched).toMatchObject(failed(LOST));
    const key = 'unable to transform key "/registry/secrets/default/a": ';
    expect(await call('GET', SECRETS)).toMatchObject(failed(key + LOST));
    expect(await call('GET', `${SECRETS}?labelSelector=a%3Db`)).toMatchObject(failed(key + LOST));
    expect(await call('DELETE', SECRETS)).toMatchObject(failed(key + LOST));
    expect(await call('POST', SECRETS, object)).toMatchObject({
      code: 409,
      body: { reason: 'AlreadyExists', message: 'secrets "a" already exists' },
    });
    expect((await call('GET', `${SECRETS}/b`)).code).toBe(200);
  });

  it('is told from other errors with the gate', async () => {
    const { call } = await withLostKey(vocabulary, ON);
    const message = (text: string) => ({ code: 500, body: { message: `Internal error occurred: ${text}` } });
    expect(await call('GET', `${SECRETS}/a`)).toMatchObject(message(corrupt('/secrets/default/a')));
    expect(await call('DELETE', `${SECRETS}/a`)).toMatchObject(message(corrupt('/secrets/default/a')));
    expect(await call('DELETE', `${SECRETS}/a?dryRun=All`)).toMatchObject(
      message(corrupt('/secrets/default/a')),
    );
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    expect(await call('PUT', `${SECRETS}/a`, object)).toMatchObject(
      message(`data from the storage is not transformable revision=0: ${LOST}`),
    );
    const listed = {
      code: 500,
      body: {
        message: 'failed to read one or more secrets from the storage',
        reason: 'StorageReadError',
        details: {
          name: 'list',
          kind: 'secrets',
          causes: [
            {
              reason: 'UnexpectedServerResponse',
              message: corrupt('/registry/secrets/default/a'),
              field: '/registry/secrets/default/a',
            },
          ],
        },
      },
    };
    expect(await call('GET', SECRETS)).toMatchObject(listed);
    expect(await call('DELETE', SECRETS)).toMatchObject(listed);
  });

  it('R070: an object that cannot be read is removed by an unsafe deletion, whatever its finalizers', async () => {
    const { call, engine } = await withLostKey(vocabulary, ON);
    expect(await call('DELETE', `${SECRETS}/a`, unsafe)).toEqual({
      code: 200,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'Secret' },
      },
    });
    expect(engine.get('/secrets/default/a')).toBeUndefined();
    const { code, body } = await call('GET', SECRETS);
    expect([code, (body.items as unknown[]).length]).toEqual([200, 1]);
  });

  it('is removed by the option in the query too', async () => {
    const { call, engine } = await withLostKey(vocabulary, ON);
    expect((await call('DELETE', `${SECRETS}/a?${OPTION}=true`)).code).toBe(200);
    expect(engine.get('/secrets/default/a')).toBeUndefined();
  });

  it('R190: an unsafe deletion of a readable object is refused, as are other options and collections', async () => {
    const { call } = await withLostKey(vocabulary, ON);
    const refused = (about: string, why: string) => ({
      code: 422,
      body: { message: `${about} is invalid: ${OPTION}: Invalid value: true: ${why}`, reason: 'Invalid' },
    });
    const options = `DeleteOptions.meta.${vocabulary.groupDomain} ""`;
    for (const name of [...['dryRun'], ...['propagationPolicy', 'gracePeriodSeconds', 'preconditions']]) {
      const value = {
        dryRun: ['All'],
        propagationPolicy: 'Background',
        gracePeriodSeconds: 0,
        preconditions: {},
      }[name];
      expect(await call('DELETE', `${SECRETS}/a`, { ...unsafe, [name]: value })).toMatchObject(
        refused(options, `cannot be set together with .${name}`),
      );
    }
    const exclusive = 'is exclusively used to delete corrupt object(s), try again by removing this option';
    expect(await call('DELETE', `${SECRETS}/b`, unsafe)).toMatchObject(refused('secrets "b"', exclusive));
    expect(await call('DELETE', `${SECRETS}/b`, unsafe)).toMatchObject({
      body: { details: { name: 'b', kind: 'secrets' } },
    });
    expect(await call('DELETE', `${SECRETS}/no`, unsafe)).toMatchObject(refused('secrets "no"', exclusive));
    const collection = 'is not allowed with DELETECOLLECTION, try again after removing the option';
    expect(await call('DELETE', SECRETS, unsafe)).toMatchObject(refused(options, collection));
    expect(await call('DELETE', `${SECRETS}?${OPTION}=true`)).toMatchObject(refused(options, collection));
  });

  it('needs its own verb', async () => {
    const { call, engine } = await withLostKey(vocabulary, ON, 'alice');
    expect(await call('DELETE', `${SECRETS}/a`, unsafe)).toMatchObject({
      code: 403,
      body: {
        message:
          'secrets "a" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: not this one',
      },
    });
    expect(engine.get('/secrets/default/a')).toBeDefined();
  });

  it('R212: unsafe deletion is off by default, and its option is ignored', async () => {
    const { call } = await withLostKey(vocabulary, OFF);
    expect(await call('DELETE', `${SECRETS}/b?${OPTION}=true`)).toMatchObject({ code: 200 });
    expect(await call('GET', `${SECRETS}/b`)).toMatchObject({
      body: { metadata: { deletionTimestamp: expect.any(String) } },
    });
  });

  it('ends watches of its type with an error when it is removed; others go on', async () => {
    const { call, server } = await withLostKey(vocabulary, ON);
    const watch = async (path: string): Promise<readonly Record<string, unknown>[]> => {
      const response = await server.fetch(new Request(`http://server${path}`));
      const text = await response.text();
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    };
    const { body } = await call('GET', `${SECRETS}/b`);
    const from = `&resourceVersion=${(body.metadata as { resourceVersion: string }).resourceVersion}&timeoutSeconds=1`;
    const ended = watch(`${SECRETS}?watch=1${from}`);
    const others = watch(`/api/v1/namespaces/default/configmaps?watch=1${from}`);
    const named = watch(`${SECRETS}?watch=1&fieldSelector=metadata.name%3Db${from}`);
    await call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'before' } });
    expect((await call('DELETE', `${SECRETS}/a`, unsafe)).code).toBe(200);
    await call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'after' } });
    expect(await ended).toMatchObject([
      {
        type: 'ERROR',
        object: {
          code: 500,
          reason: 'StorageReadError',
          message: `saw a DELETED event, but object data is corrupt - data from the storage is not transformable revision=0: ${LOST}`,
        },
      },
    ]);
    expect((await others).map(({ type }) => type)).toEqual(['ADDED', 'ADDED']);
    expect(await named).toEqual([]);
  });
});
