import { encodeBase64 } from '@ashlar/core';
import {
  createMemoryStore,
  createObjectStore,
  type KeyValueEvent,
  type KeyValueStore,
  type MemoryStore,
  type ObjectCodec,
  type ObjectStore,
  RecordIndex,
} from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { Encryption } from '../configuration/create-encryption.ts';
import { bytesOf, encryptSecrets, keyOf, TestKeyService, textOf } from '../encryption.fixture.ts';
import { createEncryptedStore } from './encrypted-store.ts';
import { ExchangeableEncryption } from './exchangeable-encryption.ts';

const gcm = (...names: readonly string[]): object => ({
  aesgcm: { keys: names.map((name) => keyOf(name, name.charCodeAt(0))) },
});
const withKeys = (...names: readonly string[]): Encryption =>
  encryptSecrets([gcm(...names), { identity: {} }]).encryption;

const codec: ObjectCodec = {
  encode: (object) => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return bytesOf(JSON.stringify({ ...object, metadata }));
  },
  decode: (bytes) => JSON.parse(textOf(bytes)),
};

interface Fixture {
  readonly engine: MemoryStore;
  readonly store: KeyValueStore;
  readonly objects: ObjectStore;
  readonly used: ExchangeableEncryption;
}

function fixture(encryption: Encryption = withKeys('a'), explainsUnreadable: boolean = false): Fixture {
  const { ambient } = encryptSecrets([{ identity: {} }]);
  const { clock } = ambient;
  const engine = createMemoryStore({ clock });
  const used = new ExchangeableEncryption(encryption, clock);
  const store = createEncryptedStore(engine, { encryption: used, ambient, plainPrefixes: ['/own/'] });
  return { engine, store, used, objects: createObjectStore(store, { codec, clock, explainsUnreadable }) };
}

const secret = (name: string, value: string = 'v') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: { shard: name.slice(-1) } },
  data: { k: encodeBase64(bytesOf(value)) },
});
const write = (objects: ObjectStore, name: string, value?: string) =>
  objects.update(`/secrets/default/${name}`, () => ({ action: 'write', object: secret(name, value) }));
const storedAt = (engine: MemoryStore, name: string): string =>
  textOf(engine.get(`/secrets/default/${name}`)?.value ?? new Uint8Array());
const messageOf = async (run: () => unknown): Promise<string> => {
  try {
    await run();
    return 'no error';
  } catch (error) {
    return (error as Error).message;
  }
};
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('an encrypted store', () => {
  it('encrypts what the configuration names and nothing else', async () => {
    const { engine, objects, store } = fixture();
    await write(objects, 'a', 'geheim');
    expect(storedAt(engine, 'a')).toMatch(/^k8s:enc:aesgcm:v1:a:/);
    expect(storedAt(engine, 'a')).not.toContain(secret('a', 'geheim').data.k);
    await store.put('/configmaps/default/a', bytesOf('{}'));
    await store.put('/own/secrets', bytesOf('{}'));
    for (const key of ['/configmaps/default/a', '/own/secrets']) {
      expect(textOf(engine.get(key)?.value as Uint8Array)).toBe('{}');
      expect(await store.get(key)).toBe(engine.get(key));
    }
  });

  it('returns the same entry for the same value', async () => {
    const { engine, objects, store } = fixture();
    await write(objects, 'a');
    const entry = store.get('/secrets/default/a');
    expect(entry).not.toBe(engine.get('/secrets/default/a'));
    expect(store.get('/secrets/default/a')).toBe(entry);
    const { entries } = (await store.range('/secrets/')) as { entries: readonly unknown[] };
    expect(entries[0]).toBe(entry);
  });

  it('authenticates the key: a value cannot be moved', async () => {
    const { engine, objects } = fixture();
    await write(objects, 'a');
    engine.put('/secrets/default/b', engine.get('/secrets/default/a')?.value as Uint8Array);
    expect(await messageOf(() => objects.get('/secrets/default/b'))).toBe(
      'Internal error occurred: cipher: message authentication failed',
    );
  });

  it('decrypts the previous values of events too', async () => {
    const { objects, store } = fixture();
    const seen: string[] = [];
    const viewed = ({ type, entry, previous }: KeyValueEvent): string =>
      `${type} ${entry ? entry.value[0] : ''} ${previous ? previous.value[0] : ''}`;
    store.watch(
      '/secrets/',
      { afterRevision: 1 },
      { events: (batch) => seen.push(...batch.map(viewed)), error: () => {} },
    );
    await write(objects, 'a');
    await write(objects, 'a', 'w');
    await objects.update('/secrets/default/a', () => ({ action: 'remove' }));
    await settled();
    expect(seen).toEqual(['put 123 ', 'put 123 123', 'delete  123']);
  });

  it('selects by the index of the engine', async () => {
    const { objects } = fixture();
    for (let i = 0; i < 100; i++) await write(objects, `s${i}`);
    const index = new RecordIndex('/secrets/', ({ labels }) => [labels.shard ?? '']);
    const { records } = await objects.list('/secrets/', {
      select: { conditions: [{ index, anyOf: ['7'] }] },
    });
    expect(records.map(({ object }) => object.metadata.name)).toEqual([
      's17',
      's27',
      's37',
      's47',
      's57',
      's67',
      's7',
      's77',
      's87',
      's97',
    ]);
  });

  it('selects where data keys must be decrypted first', async () => {
    const kms = { kms: { apiVersion: 'v2', name: 'c', endpoint: 'unix:///a' } };
    const service = new TestKeyService();
    const first = encryptSecrets([kms], { service });
    await first.encryption.start(() => {});
    const { objects, used } = fixture(first.encryption);
    for (let i = 0; i < 100; i++) await write(objects, `s${i}`);
    // another server: it has none of the data keys
    const second = encryptSecrets([kms], { service });
    await second.encryption.start(() => {});
    used.exchange(second.encryption);
    const index = new RecordIndex('/secrets/', ({ labels }) => [labels.shard ?? '']);
    const options = { select: { conditions: [{ index, anyOf: ['7'] }] }, limit: 3 };
    const { records } = await objects.list('/secrets/', options);
    expect(records.map(({ object }) => object.metadata.name)).toEqual(['s17', 's27', 's37']);
    expect(service.calls.filter((call) => call === 'decrypt')).toHaveLength(1);
    // an entry leaves the index as it came in, although it has been read since
    await objects.update('/secrets/default/s17', () => ({
      action: 'write',
      object: { ...secret('s17'), metadata: { name: 's17', labels: { shard: 'other' } } },
    }));
    const after = await objects.list('/secrets/', options);
    expect(after.records.map(({ object }) => object.metadata.name)).toEqual(['s27', 's37', 's47']);
  });
});

describe('rotation', () => {
  it('writes a stale object again although it does not change', async () => {
    const { engine, objects, used } = fixture(withKeys('a'));
    await write(objects, 'a');
    expect((await write(objects, 'a')).outcome).toBe('unchanged');
    used.exchange(withKeys('b', 'a'));
    expect((await write(objects, 'a')).outcome).toBe('updated');
    expect(storedAt(engine, 'a')).toMatch(/^k8s:enc:aesgcm:v1:b:/);
    expect((await write(objects, 'a')).outcome).toBe('unchanged');
  });

  it('encrypts what was stored before encryption, and decrypts it for identity', async () => {
    const { engine, objects, used } = fixture(encryptSecrets([{ identity: {} }]).encryption);
    await write(objects, 'a');
    expect(storedAt(engine, 'a')).toMatch(/^\{/);
    used.exchange(withKeys('a'));
    await write(objects, 'a');
    expect(storedAt(engine, 'a')).toMatch(/^k8s:enc:aesgcm/);
    used.exchange(encryptSecrets([{ identity: {} }, gcm('a')]).encryption);
    await write(objects, 'a');
    expect(storedAt(engine, 'a')).toMatch(/^\{/);
  });

  it('loses nothing under load: every object is readable at any time, and has the new key in the end', async () => {
    const { engine, objects, used } = fixture(withKeys('a'));
    const names = Array.from({ length: 200 }, (_, i) => `s${i}`);
    await Promise.all(names.map((name) => write(objects, name, 'first')));
    let isRotated = false;
    const reader = async (): Promise<void> => {
      while (!isRotated) {
        expect((await objects.list('/secrets/')).records).toHaveLength(names.length);
        await settled();
      }
    };
    const reading = reader();
    for (const keys of [
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'b', 'a'],
    ]) {
      used.exchange(withKeys(...keys));
      await Promise.all(names.map((name) => write(objects, name, 'first')));
    }
    used.exchange(withKeys('c'));
    isRotated = true;
    await reading;
    for (const name of names) expect(storedAt(engine, name)).toMatch(/^k8s:enc:aesgcm:v1:c:/);
    const { records } = await objects.list('/secrets/');
    expect(
      records.every(({ object }) => (object.data as { k: string }).k === secret('', 'first').data.k),
    ).toBe(true);
  });
});

describe('long lists', () => {
  it('are read with the keys of today, not with those of the list before', async () => {
    const { objects, engine, used } = fixture();
    for (let i = 0; i < 150; i++) await write(objects, `a${i}`);
    await objects.list('/secrets/');
    expect(engine.range('/secrets/')).toHaveProperty('shared');
    used.exchange(withKeys('b'));
    await expect(async () => objects.list('/secrets/')).rejects.toThrow('Internal error occurred');
    used.exchange(withKeys('b', 'a'));
    const { records } = await objects.list('/secrets/');
    expect([records.length, records.every(({ isStale }) => isStale)]).toEqual([150, true]);
  });
});

describe('a configuration that lost a key in use', () => {
  const lost = 'no matching key was found for the provided AES transformer';

  async function withLostKey(explains: boolean = false): Promise<Fixture> {
    const made = fixture(withKeys('a'), explains);
    await write(made.objects, 'a');
    made.used.exchange(withKeys('b'));
    await write(made.objects, 'b');
    return made;
  }

  it('fails reads and changes of the object, and lists that contain it', async () => {
    const { objects } = await withLostKey();
    expect(await messageOf(() => objects.get('/secrets/default/a'))).toBe(`Internal error occurred: ${lost}`);
    const change = () =>
      objects.update('/secrets/default/a', (current) => ({
        action: 'write',
        object: { ...current?.object } as never,
      }));
    expect(await messageOf(change)).toBe(`Internal error occurred: ${lost}`);
    const listed = `Internal error occurred: unable to transform key "/registry/secrets/default/a": ${lost}`;
    expect(await messageOf(() => objects.list('/secrets/'))).toBe(listed);
    const index = new RecordIndex('/secrets/', ({ labels }) => [labels.shard ?? '']);
    const select = { conditions: [{ index, anyOf: ['b'] }] };
    expect(await messageOf(() => objects.list('/secrets/', { select }))).toBe(listed);
    expect((await objects.get('/secrets/default/b'))?.object.metadata.name).toBe('b');
  });

  it('is explained where such objects may be deleted', async () => {
    const { objects } = await withLostKey(true);
    const corrupt = (key: string) =>
      `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: data from the storage is not transformable revision=0: ${lost}`;
    expect(await messageOf(() => objects.get('/secrets/default/a'))).toBe(
      `Internal error occurred: ${corrupt('/secrets/default/a')}`,
    );
    const error = await Promise.resolve()
      .then(() => objects.list('/secrets/'))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 500,
      reason: 'StorageReadError',
      message: 'failed to read one or more secrets from the storage',
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
    });
  });

  it('can be left out of lists and watches', async () => {
    const { objects, engine } = await withLostKey();
    const { records } = await objects.list('/secrets/', { onUnreadable: () => {} });
    expect(records.map(({ key }) => key)).toEqual(['/secrets/default/b']);
    const seen: string[] = [];
    objects.watch(
      '/secrets/',
      { afterRevision: engine.currentRevision(), onUnreadable: ({ key }) => seen.push(`left out ${key}`) },
      {
        events: (batch) => seen.push(...batch.map(({ record }) => record.key)),
        error: () => seen.push('error'),
      },
    );
    engine.delete('/secrets/default/a');
    await write(objects, 'c');
    await settled();
    expect(seen).toEqual(['left out /secrets/default/a', '/secrets/default/c']);
  });

  it('ends watches with its removal, and those of other objects go on', async () => {
    const { objects, engine } = await withLostKey(true);
    const seen: string[] = [];
    const watch = (prefix: string): Disposable =>
      objects.watch(
        prefix,
        { afterRevision: engine.currentRevision() },
        {
          events: (batch) => seen.push(...batch.map(({ type, record }) => `${prefix} ${type} ${record.key}`)),
          error: (error) => seen.push(`${prefix} ${error.message}`),
        },
      );
    watch('/secrets/');
    watch('/secrets/default/b');
    watch('/secrets/other/');
    await write(objects, 'c');
    await objects.update('/secrets/default/a', (current) => {
      expect(current?.fault?.message).toBe(lost);
      return { action: 'remove' };
    });
    await write(objects, 'b', 'changed');
    await settled();
    expect(seen).toEqual([
      '/secrets/ created /secrets/default/c',
      `/secrets/ saw a DELETED event, but object data is corrupt - data from the storage is not transformable revision=0: ${lost}`,
      '/secrets/default/b updated /secrets/default/b',
    ]);
  });

  it('is readable again when the key is back', async () => {
    const { objects, used } = await withLostKey();
    used.exchange(withKeys('b', 'a'));
    expect((await objects.list('/secrets/')).records).toHaveLength(2);
  });
});

it('refuses writes without a key, with the error of the provider', async () => {
  const kms = { kms: { apiVersion: 'v2', name: 'c', endpoint: 'unix:///a' } };
  const { objects } = fixture(encryptSecrets([kms], { service: new TestKeyService() }).encryption);
  const error = await write(objects, 'a').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: got unexpected nil transformer',
  });
});

it('reads values that are no objects as undecodable', async () => {
  const { objects, engine } = fixture(withKeys('a'), true);
  engine.put('/configmaps/default/a', bytesOf('garbage'));
  expect(await messageOf(() => objects.get('/configmaps/default/a'))).toContain(
    'AdditionalErrorMsg: object not decodable revision=0: the stored value is not a JSON object',
  );
});
