import { type Ambient, type MaybePromise, randomUuid } from '@ashlar/core';
import { DecryptionError } from '../values/decryption-error.ts';
import type { ReadValue, ValueTransformer } from '../values/value-transformer.ts';
import { type DataKey, dataKeyId, dataKeyTransformer } from './data-key.ts';
import { DataKeyCache } from './data-key-cache.ts';
import { decodeEncryptedObject, type EncryptedObject, encodeEncryptedObject } from './encrypted-object.ts';
import type { KmsProviderOptions, KmsProviderState } from './kms-provider.ts';
import { validateEncryptedObject } from './validate-encrypted-object.ts';

/**
 * Encrypts values with data keys that a key service encrypts (envelope encryption, version 2 of the reference). Reading a value is
 * synchronous unless its data key must be decrypted first.
 */
export class KmsTransformer implements ValueTransformer {
  readonly #options: KmsProviderOptions;
  readonly #state: KmsProviderState;
  readonly #cache: DataKeyCache;

  constructor(options: KmsProviderOptions, state: KmsProviderState) {
    const { ambient, metrics, name } = options;
    this.#options = options;
    this.#state = state;
    this.#cache = new DataKeyCache(ambient.clock, (size) => metrics.cacheSize(name, size));
  }

  fromStorage(stored: Uint8Array, authenticated: Uint8Array): MaybePromise<ReadValue> {
    const object = decodeEncryptedObject(stored);
    validateEncryptedObject(object);
    const current = this.#state.key;
    const id = dataKeyId(object);
    const cached = this.#cache.get(id);
    if (cached) return this.#open(cached, object, current, authenticated);
    const loading = this.#cache.load(id, () => this.#decryptKey(object));
    return loading.then((transformer) => this.#open(transformer, object, current, authenticated));
  }

  toStorage(plaintext: Uint8Array, authenticated: Uint8Array): MaybePromise<Uint8Array> {
    const { object, transformer } = this.#state.writingKey;
    // what is written now is read without a call to the service
    this.#cache.set(dataKeyId(object), transformer);
    const encryptedData = transformer.toStorage(plaintext, authenticated) as Uint8Array;
    this.#options.metrics.usedKey('to_storage', this.#options.name, object.keyId);
    return encodeEncryptedObject({ ...object, encryptedData });
  }

  #open(
    transformer: ValueTransformer,
    object: EncryptedObject,
    current: DataKey,
    authenticated: Uint8Array,
  ): ReadValue {
    this.#options.metrics.usedKey('from_storage', this.#options.name, object.keyId);
    const { plaintext } = transformer.fromStorage(object.encryptedData, authenticated) as ReadValue;
    const { keyId, keySourceType } = current.object;
    return { plaintext, isStale: object.keyId !== keyId || object.keySourceType !== keySourceType };
  }

  async #decryptKey(object: EncryptedObject): Promise<ValueTransformer> {
    const { service, ambient, metrics, sources } = this.#options;
    metrics.cacheMiss();
    const { encryptedKeySource, keyId, annotations, keySourceType } = object;
    const encrypted = { ciphertext: encryptedKeySource, keyId, annotations };
    const key = await service.decrypt(encrypted, uidOf(ambient)).catch((error: unknown) => {
      throw new DecryptionError(`failed to decrypt DEK, error: ${(error as Error).message}`, {
        cause: error,
      });
    });
    return dataKeyTransformer(key, keySourceType, sources);
  }
}

const uidOf = ({ transientRandom, random }: Ambient): string => randomUuid(transientRandom ?? random);
