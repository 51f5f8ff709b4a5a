import { concatenateBytes, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { encodePairsSteps, MessageParts } from './openapi-protobuf-parts.ts';
import { text } from './openapi-protobuf-writer.ts';

describe('parts of a message', () => {
  it('have the bytes of a message in a message, with its length before', () => {
    const inner = new MessageParts();
    inner.add(Uint8Array.of(8, 1));
    inner.add(Uint8Array.of(16, 2));
    const outer = new MessageParts();
    outer.addField(3, inner);
    expect([...runAtOnce(outer.finish())]).toEqual([26, 4, 8, 1, 16, 2]);
  });

  it('are copied with pauses where they are long, and lose nothing', () => {
    const part = new Uint8Array(600_000).map((_, i) => i % 251);
    const parts = new MessageParts();
    for (let i = 0; i < 5; i++) parts.add(part);
    const steps = parts.finish();
    let pauses = 0;
    let result = steps.next();
    for (; !result.done; result = steps.next()) pauses++;
    expect(pauses).toBe(2);
    expect(Buffer.compare(result.value, concatenateBytes(Array(5).fill(part)))).toBe(0);
  });

  it('of a map are its pairs, with a pause after each', () => {
    const steps = encodePairsSteps(1, { a: 'b', c: 'd' }, text);
    expect([steps.next().done, steps.next().done]).toEqual([false, false]);
    const bytes = runAtOnce((runAtOnce(steps) as MessageParts).finish());
    expect(Buffer.from(bytes).toString('latin1')).toBe('\n\x06\n\x01a\x12\x01b\n\x06\n\x01c\x12\x01d');
  });
});
