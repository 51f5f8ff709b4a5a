import { createAesGcm } from '../values/aes-gcm.ts';
import type { AesGcmSources } from '../values/aes-gcm-cipher.ts';
import { DecryptionError } from '../values/decryption-error.ts';
import { createExtendedNonceGcm, SEED_BYTES } from '../values/extended-nonce-gcm.ts';
import type { ValueTransformer } from '../values/value-transformer.ts';
import { type EncryptedObject, encodeEncryptedObject, KeySource } from './encrypted-object.ts';
import type { KeyService } from './key-service.ts';
import { validateEncryptedObject } from './validate-encrypted-object.ts';

/** A data key, and what is stored with the values that it encrypts. */
export interface DataKey {
  readonly transformer: ValueTransformer;
  /** Without the encrypted data. */
  readonly object: EncryptedObject;
}

const NO_BYTES = new Uint8Array();

/**
 * Draws a new data key and has the service encrypt it.
 * @throws Error if the service refuses, or what it answers cannot be stored
 */
export async function generateDataKey(
  service: KeyService,
  sources: AesGcmSources,
  uid: string,
): Promise<DataKey> {
  const seed = sources.random.bytes(new Uint8Array(SEED_BYTES));
  const encrypted = await service.encrypt(seed, uid).catch((error) => {
    throw new DecryptionError(`failed to encrypt DEK, error: ${(error as Error).message}`);
  });
  const object: EncryptedObject = {
    encryptedData: NO_BYTES,
    keyId: encrypted.keyId,
    encryptedKeySource: encrypted.ciphertext,
    annotations: encrypted.annotations,
    keySourceType: KeySource.extendedNonceSeed,
  };
  validateEncryptedObject({ ...object, encryptedData: new Uint8Array(1) });
  return { transformer: createExtendedNonceGcm(seed, sources), object };
}

const AES_KEY_BYTES: readonly number[] = [16, 24, 32];

/** Returns the transformer for a decrypted data key. @throws DecryptionError if its size is wrong */
export function dataKeyTransformer(
  key: Uint8Array,
  sourceType: number,
  sources: AesGcmSources,
): ValueTransformer {
  if (sourceType === KeySource.extendedNonceSeed) return createExtendedNonceGcm(key, sources);
  if (!AES_KEY_BYTES.includes(key.length))
    throw new DecryptionError(`crypto/aes: invalid key size ${key.length}`);
  return createAesGcm(key, sources);
}

const latin1 = new TextDecoder('latin1');

/** Identifies a data key: everything of an object except its data. */
export function dataKeyId(object: EncryptedObject): string {
  return latin1.decode(encodeEncryptedObject({ ...object, encryptedData: NO_BYTES }));
}
