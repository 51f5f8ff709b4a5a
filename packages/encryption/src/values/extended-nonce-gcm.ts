import { concatenateBytes } from '@ashlar/core';
import { expand } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { openAesGcm, sealAesGcm } from './aes-gcm.ts';
import type { AesGcmSources } from './aes-gcm-cipher.ts';
import { DecryptionError } from './decryption-error.ts';
import { TOO_SHORT, type ValueTransformer } from './value-transformer.ts';

/** Length of a new seed, of which others may be longer, of the info that is drawn for each value, and of the key that follows from both. */
export const SEED_BYTES = 32;

/**
 * AES-GCM with a key of its own for every value, which HKDF-SHA256 derives from one seed and random info: so one seed may encrypt any
 * number of values. The info, then the value as AES-GCM stores it.
 * @throws DecryptionError if the seed is shorter than that
 */
export function createExtendedNonceGcm(seed: Uint8Array, sources: AesGcmSources): ValueTransformer {
  if (seed.length < SEED_BYTES)
    throw new DecryptionError(`invalid seed length ${seed.length} used for key generation`);
  const keyOf = (info: Uint8Array): Uint8Array => expand(sha256, seed, info, SEED_BYTES);
  return {
    fromStorage(stored, authenticated) {
      if (stored.length < SEED_BYTES) throw new DecryptionError(TOO_SHORT);
      const key = keyOf(stored.subarray(0, SEED_BYTES));
      return {
        plaintext: openAesGcm(sources.cipher, key, stored.subarray(SEED_BYTES), authenticated),
        isStale: false,
      };
    },
    toStorage(plaintext, authenticated) {
      const info = sources.random.bytes(new Uint8Array(SEED_BYTES));
      return concatenateBytes([info, sealAesGcm(keyOf(info), plaintext, authenticated, sources)]);
    },
  };
}
