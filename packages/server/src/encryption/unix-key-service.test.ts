import { kubernetesVocabulary, Metrics } from '@ashlar/core';
import {
  createEncryption,
  createEncryptionMetrics,
  KeyServiceError,
  type KmsProvider,
  parseEncryptionConfiguration,
} from '@ashlar/encryption';
import { nodeAmbient } from '@ashlar/http-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyPlugin } from './key-plugin.fixture.ts';
import { connectUnixKeyService, type UnixKeyService } from './unix-key-service.ts';

const ambient = nodeAmbient(kubernetesVocabulary);
let plugin: KeyPlugin;
let service: UnixKeyService;
const provider = (timeout: bigint = 3_000_000_000n): KmsProvider => ({
  ...{ apiVersion: 'v2', name: 'cloud', endpoint: plugin.endpoint, timeout },
});
beforeEach(async () => {
  plugin = await KeyPlugin.start();
  service = connectUnixKeyService(provider(), ambient.clock);
});
afterEach(async () => {
  service[Symbol.dispose]();
  await plugin[Symbol.asyncDispose]();
});

describe('a key service behind a Unix socket', () => {
  it('is called in the messages of version 2', async () => {
    expect(await service.status()).toEqual({ version: 'v2', healthz: 'ok', keyId: 'key-1' });
    const key = Uint8Array.from({ length: 300 }, (_, i) => i);
    const encrypted = await service.encrypt(key, 'uid');
    expect(encrypted.keyId).toBe('key-1');
    expect(encrypted.ciphertext).not.toEqual(key);
    expect(new TextDecoder().decode(encrypted.annotations['version.example.com'])).toBe('1');
    expect([...(await service.decrypt(encrypted, 'uid'))]).toEqual([...key]);
    expect(plugin.calls).toEqual(['Status', 'Encrypt', 'Decrypt']);
  });

  it('names the status of a failure', async () => {
    plugin.failure = 'the plugin is locked';
    const error = await service.status().catch((reason: unknown) => reason);
    expect(KeyServiceError.is(error) && [error.status, error.message]).toEqual([
      'Unavailable',
      'rpc error: code = Unavailable desc = the plugin is locked',
    ]);
  });

  it('is reached again after its connection was lost', async () => {
    await service.status();
    plugin.disconnect();
    let status: unknown;
    for (let i = 0; i < 5 && !status; i++) status = await service.status().catch(() => undefined);
    expect(status).toMatchObject({ healthz: 'ok' });
  });

  it('fails where nothing listens', async () => {
    const nowhere = connectUnixKeyService(
      { ...provider(), endpoint: 'unix:///nowhere/kms.sock' },
      ambient.clock,
    );
    const error = await nowhere.status().catch((reason: unknown) => reason);
    expect(KeyServiceError.is(error) && error.status).toBe('Unavailable');
  });

  it('encrypts values that another server reads with the same plugin', async () => {
    const document = JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [
        {
          resources: ['secrets'],
          providers: [{ kms: { apiVersion: 'v2', name: 'cloud', endpoint: plugin.endpoint } }],
        },
      ],
    });
    const create = () =>
      createEncryption(
        parseEncryptionConfiguration(new TextEncoder().encode(document), {
          vocabulary: kubernetesVocabulary,
          file: 'f',
        }),
        { ambient, metrics: createEncryptionMetrics(new Metrics(), ambient.clock), connect: () => service },
      );
    using first = create();
    using second = create();
    for (const each of [first, second])
      await each.start((error) => {
        throw error;
      });
    const key = new TextEncoder().encode('/registry/secrets/default/a');
    const resource = { group: '', resource: 'secrets' };
    const stored = await first.transformerOf(resource).toStorage(new TextEncoder().encode('{}'), key);
    const { plaintext, isStale } = await second.transformerOf(resource).fromStorage(stored, key);
    expect([new TextDecoder().decode(plaintext), isStale]).toEqual(['{}', false]);
  });
});
