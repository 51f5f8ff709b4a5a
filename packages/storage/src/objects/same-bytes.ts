/** Length from which bytes are compared by words. */
const MANY_BYTES = 4096;

/** Whether two arrays have the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  if (a.length >= MANY_BYTES && a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0) return wordsEqual(a, b);
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function wordsEqual(a: Uint8Array, b: Uint8Array): boolean {
  const count = a.length >> 2;
  const left = new Uint32Array(a.buffer, a.byteOffset, count);
  const right = new Uint32Array(b.buffer, b.byteOffset, count);
  for (let i = 0; i < count; i++) if (left[i] !== right[i]) return false;
  return sameBytes(a.subarray(4 * count), b.subarray(4 * count));
}
