import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { AesGcmCipher } from '@ashlar/encryption';

const TAG_BYTES = 16;

const algorithmOf = (key: Uint8Array): 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm' =>
  `aes-${(key.length * 8) as 128 | 192 | 256}-gcm`;

/** AES-GCM of Node's OpenSSL. */
export const nodeAesGcm: AesGcmCipher = {
  encrypt(key, nonce, plaintext, authenticated) {
    const cipher = createCipheriv(algorithmOf(key), key, nonce);
    cipher.setAAD(authenticated);
    const sealed = new Uint8Array(plaintext.length + TAG_BYTES);
    sealed.set(cipher.update(plaintext));
    cipher.final();
    sealed.set(cipher.getAuthTag(), plaintext.length);
    return sealed;
  },
  decrypt(key, nonce, sealed, authenticated) {
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv(algorithmOf(key), key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated);
    decipher.setAuthTag(sealed.subarray(end));
    const plaintext = decipher.update(sealed.subarray(0, end));
    decipher.final();
    // a view of its own: others must not see the pool behind a Buffer
    return new Uint8Array(plaintext.buffer, plaintext.byteOffset, plaintext.length);
  },
};
