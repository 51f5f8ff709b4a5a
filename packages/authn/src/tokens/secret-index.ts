import type { Random } from '@ashlar/core';

/** A prime below 2^26: products of two numbers below it are exact. */
const PRIME = 67_108_859;

/** Maximum length of a token that is looked up. */
const LONG_SECRET = 4096;

/**
 * Looks up secrets without revealing by time how much of a guess was right. A keyed hash selects the bucket
 * of a guess, which is then compared in constant time.
 */
export class SecretIndex<T> {
  /** Longer tokens are rejected early: that reveals nothing about secrets of ordinary length. */
  #longest = LONG_SECRET;
  readonly #places = new Map<number, { readonly secret: string; readonly value: T }[]>();
  readonly #keys: readonly [number, number];

  constructor(random: Random) {
    this.#keys = [randomKey(random), randomKey(random)];
  }

  set(secret: string, value: T): void {
    this.#longest = Math.max(this.#longest, secret.length);
    const place = this.#placeOf(secret);
    const others = (this.#places.get(place) ?? []).filter((entry) => entry.secret !== secret);
    this.#places.set(place, [...others, { secret, value }]);
  }

  get(guess: string): T | undefined {
    if (guess.length > this.#longest) return undefined;
    let found: T | undefined;
    for (const { secret, value } of this.#places.get(this.#placeOf(guess)) ?? []) {
      if (equalInConstantTime(secret, guess)) found = value;
    }
    return found;
  }

  /** Two polynomials of the characters, each with a key of its own. */
  #placeOf(text: string): number {
    const [first, second] = this.#keys;
    let a = 1;
    let b = 1;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      a = (a * first + unit) % PRIME;
      b = (b * second + unit) % PRIME;
    }
    return a * PRIME + b;
  }
}

function randomKey(random: Random): number {
  const [a, b, c, d] = random.bytes(new Uint8Array(4)) as unknown as [number, number, number, number];
  return 1 + ((a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) % (PRIME - 1));
}

/** Whether two strings are equal, in time that depends on the length of the guess only. */
export function equalInConstantTime(secret: string, guess: string): boolean {
  let difference = secret.length ^ guess.length;
  for (let i = 0; i < guess.length; i++) {
    difference |= secret.charCodeAt(i % (secret.length || 1)) ^ guess.charCodeAt(i);
  }
  return difference === 0;
}
