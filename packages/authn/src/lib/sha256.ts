const ROUND_CONSTANTS: Uint32Array = firstPrimes(64).reduce((words, prime, i) => {
  words[i] = fractionBits(Math.cbrt(prime));
  return words;
}, new Uint32Array(64));

const INITIAL: Uint32Array = Uint32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)));

/**
 * SHA-256 (FIPS 180-4), in lower-case hexadecimal. It answers at once, which the platform's own does not; it is for
 * the short inputs that are looked at once, such as a certificate.
 */
export function sha256Hex(input: Uint8Array): string {
  const state = Uint32Array.from(INITIAL);
  const padded = pad(input);
  const view = new DataView(padded.buffer);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + 4 * i);
    expand(words);
    compress(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function pad(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((Math.floor((input.length + 8) / 64) + 1) * 64);
  padded.set(input);
  padded[input.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(input.length / 2 ** 29));
  view.setUint32(padded.length - 4, (input.length * 8) >>> 0);
  return padded;
}

function expand(words: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const a = words[i - 15] as number;
    const b = words[i - 2] as number;
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
  }
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + (ROUND_CONSTANTS[i] as number) + (words[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + s0 + majority) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + value;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

/** The first 32 bits behind the point. */
function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}
