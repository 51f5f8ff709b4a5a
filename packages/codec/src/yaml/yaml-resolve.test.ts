import { describe, expect, it } from 'vitest';
import { resolvePlain } from './yaml-resolve.ts';

describe('underscores in numbers', () => {
  it.each([10, 5_000])('are left out, however many there are: %d', (count) => {
    const marks = '_'.repeat(count);
    expect(resolvePlain(`1${marks}2`)).toEqual({ type: 'int', value: 12n });
    expect(resolvePlain(`0x${marks}ff`)).toEqual({ type: 'int', value: 255n });
    expect(resolvePlain(`-1.${marks}5e1`)).toEqual({ type: 'float', value: -15 });
    for (const text of [`1${marks}x`, `1${marks}é`, `1${marks}~`])
      expect(resolvePlain(text)).toEqual({ type: 'str', value: text });
  });
});
