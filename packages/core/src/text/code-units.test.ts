import { describe, expect, it } from 'vitest';
import { textOfCodeUnits } from './code-units.ts';

describe('code units', () => {
  it.each([0, 1, 8191, 8192, 8193, 40_000])('%i of them become a text of that length', (count) => {
    const units = Uint16Array.from({ length: count }, (_, i) => i % 0x1_0000);
    const text = textOfCodeUnits(units);
    expect(text).toHaveLength(count);
    expect(Array.from({ length: count }, (_, i) => text.charCodeAt(i))).toEqual([...units]);
  });

  it('keep surrogates without a partner', () => {
    expect(textOfCodeUnits(Uint16Array.of(0x61, 0xd800, 0x62))).toBe('a\ud800b');
  });

  it('are bytes, too', () => {
    expect(textOfCodeUnits(Uint8Array.of(0x41, 0xff))).toBe('A\xff');
  });
});
