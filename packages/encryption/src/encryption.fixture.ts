import { type Ambient, encodeBase64, kubernetesVocabulary, Metrics, type Vocabulary } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { createEncryption, type Encryption } from './configuration/create-encryption.ts';
import { createEncryptionMetrics } from './configuration/encryption-options.ts';
import { parseEncryptionConfiguration } from './configuration/parse-encryption-configuration.ts';
import type { EncryptedKey, KeyService, KeyServiceStatus } from './kms/key-service.ts';

/** A clock that stands still, and bytes that are different each time. */
function testAmbient(vocabulary: Vocabulary = kubernetesVocabulary): Ambient & { clock: SteppedClock } {
  let state = 1;
  const bytes = (into: Uint8Array): Uint8Array => {
    for (let i = 0; i < into.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      into[i] = state >>> 16;
    }
    return into;
  };
  return { clock: createSteppedClock(1_700_000_000_000), random: { bytes }, vocabulary };
}

/** A key of 32 equal bytes. */
export const keyOf = (name: string, byte: number): { name: string; secret: string } => ({
  name,
  secret: encodeBase64(new Uint8Array(32).fill(byte)),
});

export interface EncryptionFixture {
  readonly ambient: Ambient & { clock: SteppedClock };
  readonly metrics: Metrics;
  readonly encryption: Encryption;
}

export interface EncryptionFixtureOptions {
  readonly vocabulary?: Vocabulary;
  readonly service?: KeyService;
  readonly reload?: boolean;
  /** Default: secrets */
  readonly resources?: readonly string[];
}

/** The encryption of secrets, or other resources, by these providers. */
export function encryptSecrets(
  providers: readonly unknown[],
  options: EncryptionFixtureOptions = {},
): EncryptionFixture {
  const { vocabulary = kubernetesVocabulary, service, reload = false, resources = ['secrets'] } = options;
  const ambient = testAmbient(vocabulary);
  const metrics = new Metrics();
  const document = JSON.stringify({
    apiVersion: `apiserver.config.${vocabulary.groupDomain}/v1`,
    kind: 'EncryptionConfiguration',
    resources: [{ resources, providers }],
  });
  const encryption = createEncryption(
    parseEncryptionConfiguration(new TextEncoder().encode(document), { vocabulary, file: 'keys.yaml' }),
    {
      ambient,
      metrics: createEncryptionMetrics(metrics, ambient.clock),
      reload,
      ...(service && { connect: () => service }),
    },
  );
  return { ambient, metrics, encryption };
}

/** A key service in memory: each of its keys turns bytes into others by xor. Counts its calls. */
export class TestKeyService implements KeyService {
  keyId: string = 'key-1';
  /** If set, the service fails with it. */
  failure: string | undefined;
  readonly calls: string[] = [];

  async status(): Promise<KeyServiceStatus> {
    this.#called('status');
    return { version: 'v2', healthz: 'ok', keyId: this.keyId };
  }

  async encrypt(plaintext: Uint8Array): Promise<EncryptedKey> {
    this.#called('encrypt');
    return { ciphertext: changed(plaintext, this.keyId), keyId: this.keyId, annotations: {} };
  }

  async decrypt({ ciphertext, keyId }: EncryptedKey): Promise<Uint8Array> {
    this.#called('decrypt');
    if (!KEY_IDS.includes(keyId)) throw new Error(`there is no key ${keyId}`);
    return changed(ciphertext, keyId);
  }

  [Symbol.dispose](): void {
    this.calls.push('end');
  }

  #called(name: string): void {
    this.calls.push(name);
    if (this.failure !== undefined) throw new Error(this.failure);
  }
}

const KEY_IDS = ['key-1', 'key-2'];

const changed = (bytes: Uint8Array, keyId: string): Uint8Array =>
  bytes.map((byte) => byte ^ keyId.charCodeAt(keyId.length - 1));

export const SECRETS = { group: '', resource: 'secrets' };
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
