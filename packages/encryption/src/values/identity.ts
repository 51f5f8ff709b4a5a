import { DecryptionError } from './decryption-error.ts';
import type { ValueTransformer } from './value-transformer.ts';

const encoder = new TextEncoder();

/** Stores values as they are, and refuses to read values that another provider has encrypted. */
export function createIdentity(encryptedPrefix: string): ValueTransformer {
  const prefix = encoder.encode(encryptedPrefix);
  return {
    fromStorage(stored) {
      if (hasPrefix(stored, prefix))
        throw new DecryptionError('identity transformer tried to read encrypted data');
      return { plaintext: stored, isStale: false };
    },
    toStorage: (plaintext) => plaintext,
  };
}

export function hasPrefix(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (bytes.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}
