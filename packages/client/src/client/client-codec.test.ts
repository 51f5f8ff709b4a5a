import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { decodeBody, decodeStream, encodeBody } from './client-codec.ts';

/** Time passes whenever it is looked at. */
function busyAmbient() {
  const clock = createSteppedClock();
  let pauses = 0;
  const monotonic = (): number => {
    clock.advance(5);
    return clock.monotonic();
  };
  const turns = {
    requestBegan: () => {},
    pause: async () => void pauses++,
    atEndOfTurn: (call: () => void) => call(),
  };
  return { ambient: { clock: { ...clock, monotonic }, turns }, pauses: () => pauses };
}

const large = { items: Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}` })) };
const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe('large values of a client', () => {
  it('are encoded with pauses', async () => {
    const { ambient, pauses } = busyAmbient();
    expect(await encodeBody(large, ambient)).toEqual(bytesOf(large));
    expect(pauses()).toBeGreaterThan(5);
  });

  it('are decoded with pauses', async () => {
    const { ambient, pauses } = busyAmbient();
    expect(await decodeBody(bytesOf(large), ambient)).toEqual(large);
    expect(pauses()).toBeGreaterThan(5);
  });

  it('are decoded with pauses from a stream, in order', async () => {
    const { ambient, pauses } = busyAmbient();
    async function* lines(): AsyncGenerator<Uint8Array> {
      for (const value of [{ a: 1 }, large, { b: 2 }]) {
        yield bytesOf(value);
        yield new TextEncoder().encode('\n');
      }
    }
    const values: unknown[] = [];
    for await (const value of decodeStream(lines(), ambient)) values.push(value);
    expect(values).toEqual([{ a: 1 }, large, { b: 2 }]);
    expect(pauses()).toBeGreaterThan(5);
  });
});

describe('small values of a client', () => {
  it('are encoded and decoded at once, without a promise', () => {
    const { ambient, pauses } = busyAmbient();
    const value = { kind: 'Thing', metadata: { name: 'a' } };
    const bytes = encodeBody(value, ambient) as Uint8Array;
    expect(bytes).toEqual(bytesOf(value));
    expect(decodeBody(bytes, ambient)).toEqual(value);
    expect(pauses()).toBe(0);
  });
});
