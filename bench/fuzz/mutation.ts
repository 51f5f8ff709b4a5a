import type { SeededNumbers } from './random.ts';

/** Inputs are kept short: bugs of a parser show in little, and growth is measured separately. */
const MAXIMUM_BYTES = 4096;

/** Changes an input in one to four places. */
export function mutated(
  input: Uint8Array,
  other: Uint8Array,
  words: readonly Uint8Array[],
  numbers: SeededNumbers,
): Uint8Array {
  let bytes = input;
  for (let times = 1 + numbers.below(4); times > 0; times--) bytes = changed(bytes, other, words, numbers);
  return bytes.length > MAXIMUM_BYTES ? bytes.subarray(0, MAXIMUM_BYTES) : bytes;
}

function changed(
  bytes: Uint8Array,
  other: Uint8Array,
  words: readonly Uint8Array[],
  numbers: SeededNumbers,
): Uint8Array {
  const at = numbers.below(bytes.length + 1);
  const length = Math.min(numbers.below(16), bytes.length - at);
  switch (numbers.below(10)) {
    case 0: {
      const copy = bytes.slice();
      if (copy.length > 0) copy[at % copy.length] = numbers.below(256);
      return copy;
    }
    case 1: {
      const copy = bytes.slice();
      if (copy.length > 0) copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ (1 << numbers.below(8));
      return copy;
    }
    case 2:
      return spliced(bytes, at, length, NOTHING);
    case 3:
      return spliced(bytes, at, 0, Uint8Array.of(numbers.below(128)));
    case 4:
      return repeated(bytes, at, length, 2 + numbers.below(20));
    case 5: {
      const from = numbers.below(other.length + 1);
      return spliced(bytes, at, length, other.subarray(from, from + numbers.below(64)));
    }
    case 6:
      return spliced(bytes.subarray(0, at), at, 0, other.subarray(numbers.below(other.length + 1)));
    case 7: {
      const from = numbers.below(bytes.length + 1);
      return spliced(bytes, at, 0, bytes.subarray(from, from + numbers.below(64)));
    }
    default:
      return spliced(bytes, at, numbers.below(2) * length, words.length > 0 ? numbers.pick(words) : NOTHING);
  }
}

const NOTHING = new Uint8Array();

/** `bytes` with `length` bytes replaced by `put`. */
function spliced(bytes: Uint8Array, at: number, length: number, put: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length - length + put.length);
  result.set(bytes.subarray(0, at));
  result.set(put, at);
  result.set(bytes.subarray(at + length), at + put.length);
  return result;
}

/** `bytes` with a piece of it repeated. */
export function repeated(bytes: Uint8Array, at: number, length: number, times: number): Uint8Array {
  const piece = bytes.subarray(at, at + length);
  const put = new Uint8Array(piece.length * times);
  for (let i = 0; i < times; i++) put.set(piece, i * piece.length);
  return spliced(bytes, at, length, put);
}
