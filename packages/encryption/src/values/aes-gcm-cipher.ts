import type { Random } from '@ashlar/core';
import { gcm } from '@noble/ciphers/aes.js';

/** AES in GCM mode, with nonces of 12 bytes; the tag, of 16 bytes, follows the ciphertext. */
export interface AesGcmCipher {
  /** @param key 16, 24 or 32 bytes */
  encrypt(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, authenticated: Uint8Array): Uint8Array;
  /** @throws Error if the key, the value or the authenticated data are not those of the encryption */
  decrypt(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, authenticated: Uint8Array): Uint8Array;
}

/** A cipher that runs everywhere. Those of a platform are about five times as fast. */
export const portableAesGcm: AesGcmCipher = {
  encrypt: (key, nonce, plaintext, authenticated) => gcm(key, nonce, authenticated).encrypt(plaintext),
  decrypt: (key, nonce, sealed, authenticated) => gcm(key, nonce, authenticated).decrypt(sealed),
};

/** What AES-GCM needs besides a key. */
export interface AesGcmSources {
  readonly random: Random;
  readonly cipher: AesGcmCipher;
}
