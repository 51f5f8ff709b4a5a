import { concatenateBytes, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { shownContent } from './shown-content.ts';

const encoder = new TextEncoder();
const bytesOf = (value: unknown): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`);
const contentOf = (value: unknown, omitManagedFields: boolean): string => {
  const bytes = bytesOf(value);
  const pieces = runAtOnce(shownContent([bytes.subarray(0, 2), bytes.subarray(2)], { omitManagedFields }));
  return new TextDecoder().decode(concatenateBytes(pieces));
};

const OWNED = { metadata: { name: 'a', managedFields: [{ manager: 'm' }] }, spec: { n: 9007199254740992 } };
const FREE = { metadata: { name: 'a' }, spec: { n: 9007199254740992 } };

describe('an answer in an event', () => {
  it('has no line break', () => {
    expect(contentOf(OWNED, false)).toBe(JSON.stringify(OWNED));
  });

  it.each([
    [OWNED, FREE],
    [{ items: [OWNED, 1] }, { items: [FREE, 1] }],
    [{ rows: [{ cells: [1], object: OWNED }, {}] }, { rows: [{ cells: [1], object: FREE }, {}] }],
    [[OWNED], [OWNED]],
  ])('has no managed fields if they are left out: %j', (value, expected) => {
    expect(contentOf(value, true)).toBe(JSON.stringify(expected));
  });

  it('is made with pauses if it has many pieces', () => {
    const pieces = Array<Uint8Array>(1000).fill(bytesOf(1).subarray(0, 1));
    const steps = shownContent(pieces, { omitManagedFields: false });
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBe(3);
  });

  it('is filtered with pauses, whatever its pieces are', () => {
    const steps = shownContent(new Uint8Array(1_000_000).fill(0x20), { omitManagedFields: true });
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThan(10);
  });

  it('may be deeper than bodies are', () => {
    const deep = `{"metadata":{"managedFields":[]},"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`;
    const pieces = runAtOnce(shownContent(encoder.encode(deep), { omitManagedFields: true }));
    expect(new TextDecoder().decode(concatenateBytes(pieces))).toBe(deep.replace('"managedFields":[]', ''));
  });

  it('is read no further than anybody stores it', () => {
    let read = 0;
    const body = (function* () {
      for (; ; read++) yield new Uint8Array(100);
    })();
    const pieces = runAtOnce(shownContent(body as never, { omitManagedFields: false, maximumBytes: 1000 }));
    expect([pieces.length, read]).toEqual([11, 10]);
  });
});
