import { concatenateBytes, type Random } from '@ashlar/core';
import { cbc } from '@noble/ciphers/aes.js';
import { DecryptionError } from './decryption-error.ts';
import { TOO_SHORT, type ValueTransformer } from './value-transformer.ts';

const BLOCK_BYTES = 16;

/**
 * AES in CBC mode with PKCS#7 padding: the initialization vector and the blocks. It does not authenticate: a value can be moved to another
 * key, and changes of it are only detected by chance.
 */
export function createAesCbc(key: Uint8Array, random: Random): ValueTransformer {
  return {
    fromStorage: (stored) => ({ plaintext: decrypt(key, stored), isStale: false }),
    toStorage(plaintext) {
      const vector = random.bytes(new Uint8Array(BLOCK_BYTES));
      return concatenateBytes([vector, cbc(key, vector).encrypt(plaintext)]);
    },
  };
}

function decrypt(key: Uint8Array, stored: Uint8Array): Uint8Array {
  if (stored.length < BLOCK_BYTES) throw new DecryptionError(TOO_SHORT);
  const blocks = stored.subarray(BLOCK_BYTES);
  if (blocks.length % BLOCK_BYTES !== 0)
    throw new DecryptionError('the stored data is not a multiple of the block size');
  if (blocks.length === 0) throw new DecryptionError('invalid PKCS7 data (empty or not padded)');
  const vector = stored.subarray(0, BLOCK_BYTES);
  return withoutPadding(cbc(key, vector, { disablePadding: true }).decrypt(blocks));
}

/** The padding is checked here: the reference accepts one of several blocks, and says what is wrong with it. */
function withoutPadding(padded: Uint8Array): Uint8Array {
  const size = padded[padded.length - 1] as number;
  if (size === 0 || size > padded.length)
    throw new DecryptionError('invalid PKCS7 data (empty or not padded)');
  const end = padded.length - size;
  if (padded.subarray(end).some((byte) => byte !== size))
    throw new DecryptionError('invalid padding on input');
  return padded.subarray(0, end);
}
