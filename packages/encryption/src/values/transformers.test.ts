import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, encryptSecrets, keyOf, SECRETS, TestKeyService, textOf } from '../encryption.fixture.ts';
import { DecryptionError } from './decryption-error.ts';
import type { ReadValue } from './value-transformer.ts';

const KEY = bytesOf('/registry/secrets/default/a');
const kms = { kms: { apiVersion: 'v2', name: 'cloud', endpoint: 'unix:///run/kms.sock' } };
const keyed = ['aescbc', 'aesgcm', 'secretbox'].map((name) => ({ [name]: { keys: [keyOf('key1', 1)] } }));
const providers = [...keyed, { identity: {} }, kms];
const nameOf = (provider: object): string => Object.keys(provider)[0] as string;

async function transformerOf(provider: object, vocabulary: Vocabulary = kubernetesVocabulary) {
  const { encryption } = encryptSecrets([provider], { vocabulary, service: new TestKeyService() });
  await encryption.start((error) => {
    throw error;
  });
  return encryption.transformerOf(SECRETS);
}

describe.each(providers.map((provider) => [nameOf(provider), provider] as const))('%s', (name, provider) => {
  it('reads what it wrote', async () => {
    const transformer = await transformerOf(provider);
    const anyBytes = fc.uint8Array({ maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(anyBytes, anyBytes, async (plaintext, key) => {
        const stored = await transformer.toStorage(plaintext, key);
        const read = await transformer.fromStorage(stored, key);
        expect([...read.plaintext]).toEqual([...plaintext]);
        expect(read.isStale).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('begins with the prefix of the vocabulary', async () => {
    if (name === 'identity') return;
    const version = name === 'kms' ? 'v2:cloud' : 'v1:key1';
    for (const [vocabulary, word] of [
      [kubernetesVocabulary, 'k8s'],
      [orchVocabulary, 'orch'],
    ] as const) {
      const stored = await (await transformerOf(provider, vocabulary)).toStorage(bytesOf('{}'), KEY);
      expect(textOf(stored)).toMatch(`${word}:enc:${name}:${version}:`);
    }
  });
});

describe.each(['aesgcm', 'secretbox', 'kms'])('%s', (name) => {
  const provider = providers.find((each) => nameOf(each) === name) as object;

  it('refuses each flipped bit and each cut of what it wrote', async () => {
    const transformer = await transformerOf(provider);
    const plaintext = bytesOf('{"kind":"Secret"}');
    const stored = await transformer.toStorage(plaintext, KEY);
    for (let at = 0; at < stored.length; at++) {
      const flipped = stored.slice();
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      await expect(readOf(transformer.fromStorage.bind(transformer), flipped), `byte ${at}`).rejects.toThrow(
        DecryptionError,
      );
      await expect(
        readOf(transformer.fromStorage.bind(transformer), stored.subarray(0, at)),
        `cut at ${at}`,
      ).rejects.toThrow(DecryptionError);
    }
  });

  it('never crashes on other bytes', async () => {
    const transformer = await transformerOf(provider);
    const prefix = (await transformer.toStorage(new Uint8Array(), KEY)).subarray(0, 20);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const stored = Uint8Array.from([...prefix, ...bytes]);
        await expect(readOf(transformer.fromStorage.bind(transformer), stored)).rejects.toThrow(
          DecryptionError,
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe.each(['aesgcm', 'kms'])('%s', (name) => {
  it('refuses a value that was moved to another key', async () => {
    const transformer = await transformerOf(providers.find((each) => nameOf(each) === name) as object);
    const stored = await transformer.toStorage(bytesOf('{}'), KEY);
    const moved = readOf(transformer.fromStorage.bind(transformer), stored, bytesOf('/registry/secrets/b/b'));
    await expect(moved).rejects.toThrow('cipher: message authentication failed');
  });
});

/** A promise of a read, also if it throws. */
async function readOf(
  read: (stored: Uint8Array, key: Uint8Array) => ReadValue | Promise<ReadValue>,
  stored: Uint8Array,
  key: Uint8Array = KEY,
): Promise<ReadValue> {
  return read(stored, key);
}

describe('rotation', () => {
  const read = (all: readonly object[], stored: Uint8Array): ReadValue =>
    encryptSecrets(all).encryption.transformerOf(SECRETS).fromStorage(stored, KEY) as ReadValue;
  const write = (all: readonly object[]): Uint8Array =>
    encryptSecrets(all).encryption.transformerOf(SECRETS).toStorage(bytesOf('{}'), KEY) as Uint8Array;
  const gcm = (...names: readonly string[]): object => ({
    aesgcm: { keys: names.map((name) => keyOf(name, name.charCodeAt(0))) },
  });

  it('reads with every key and calls what an older one wrote stale', () => {
    const stored = write([gcm('a')]);
    expect(read([gcm('a', 'b')], stored).isStale).toBe(false);
    expect(read([gcm('b', 'a')], stored).isStale).toBe(true);
    expect(read([gcm('b'), gcm('a')], stored).isStale).toBe(true);
    expect(read([{ identity: {} }, gcm('a')], stored).isStale).toBe(true);
    expect(read([gcm('a'), { identity: {} }], bytesOf('{}')).isStale).toBe(true);
  });

  it('fails without the key, and with another key of the same name', () => {
    const stored = write([gcm('a')]);
    expect(() => read([gcm('b')], stored)).toThrow(
      'no matching key was found for the provided AES transformer',
    );
    expect(() => read([{ aesgcm: { keys: [keyOf('a', 9)] } }], stored)).toThrow(
      'cipher: message authentication failed',
    );
    expect(() => read([{ identity: {} }], stored)).toThrow('no matching prefix found');
  });
});

it('counts transformations by their prefix and outcome', () => {
  const { encryption, metrics } = encryptSecrets([{ secretbox: { keys: [keyOf('k', 1)] } }]);
  const transformer = encryption.transformerOf(SECRETS);
  const stored = transformer.toStorage(bytesOf('{}'), KEY, 'secrets') as Uint8Array;
  transformer.fromStorage(stored, KEY, 'secrets');
  expect(() => transformer.fromStorage(bytesOf('{}'), KEY, 'secrets')).toThrow('no matching prefix found');
  const text = metrics.text();
  for (const [kind, prefix, status] of [
    ['to_storage', 'k8s:enc:secretbox:v1:', 'OK'],
    ['from_storage', 'k8s:enc:secretbox:v1:', 'OK'],
    ['from_storage', 'unknown', 'unknown-non-grpc'],
  ])
    expect(text).toContain(
      `apiserver_storage_transformation_operations_total{resource="secrets",status="${status}",transformation_type="${kind}",transformer_prefix="${prefix}"} 1`,
    );
});
