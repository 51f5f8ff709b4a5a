import { expect, it } from 'vitest';
import { concatenateSteps } from './concatenate-steps.ts';

const MEBIBYTE = 1024 * 1024;

it.each([
  ['small pieces', [1, 0, 2], 0],
  ['one large piece', [3 * MEBIBYTE + 1], 3],
  ['many pieces', Array<number>(4096).fill(1024), 4],
])('%s are put together, with pauses', (_, sizes, pauses) => {
  const pieces = sizes.map((size, index) => new Uint8Array(size).fill(index % 251));
  const steps = concatenateSteps(pieces);
  let paused = 0;
  for (;;) {
    const { done, value } = steps.next();
    if (!done) {
      paused++;
      continue;
    }
    expect(paused).toBe(pauses);
    expect(Buffer.compare(value, Buffer.concat(pieces))).toBe(0);
    return;
  }
});
