import { concatenateBytes, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { answeredContent } from './answered-content.ts';

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
const contentOf = (value: unknown, omitManagedFields: boolean): string => {
  const bytes = bytesOf(value);
  const pieces = runAtOnce(answeredContent([bytes.subarray(0, 2), bytes.subarray(2)], omitManagedFields));
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
    const steps = answeredContent(Array<Uint8Array>(1000).fill(bytesOf(1).subarray(0, 1)), false);
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBe(3);
  });
});
