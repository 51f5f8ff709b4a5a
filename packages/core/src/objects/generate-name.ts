import type { Random } from '../contracts/ambient.ts';
import { utf8Prefix } from '../text/utf8.ts';

/**
 * No vowels and no digits that look like letters: generated names contain no words and are not misread
 * (semantics/metadata#name-and-namespace).
 */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const BASE_LIMIT_BYTES = 58;

/**
 * The largest multiple of the alphabet's size that a byte can reach: bytes from there on would make some
 * letters more likely.
 */
const UNBIASED_LIMIT = 256 - (256 % ALPHABET.length);
const BATCH_BYTES = 16;
const MAXIMUM_BATCHES = 64;

/**
 * A name that begins with `base`, truncated to 58 bytes, followed by five random characters
 * (semantics/metadata#name-and-namespace).
 *
 * @example generateName('job-', random) // job-x7k2m
 *
 * @throws TypeError if `random` returns only a few high bytes
 */
export function generateName(base: string, random: Random): string {
  return utf8Prefix(base, BASE_LIMIT_BYTES) + randomSuffix(random, SUFFIX_LENGTH);
}

/** Random characters as in generated names, each as likely as any other. */
export function randomSuffix(random: Random, length: number): string {
  let text = '';
  for (let batch = 0; batch < MAXIMUM_BATCHES + length; batch++) {
    for (const byte of random.bytes(new Uint8Array(BATCH_BYTES))) {
      if (text.length === length) return text;
      if (byte < UNBIASED_LIMIT) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  if (text.length === length) return text;
  throw new TypeError('the source of randomness gives no usable bytes');
}
