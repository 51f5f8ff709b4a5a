import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolvePlain, resolveScalarSteps } from './yaml-resolve.ts';

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

describe('long scalars', () => {
  const first = fc.constantFrom('0', '1', '9', '+', '-', '+1', '-0', '0x', '0o', '0b', '1.', '0.');
  const part = fc.constantFrom(
    '0',
    '1',
    '7',
    '8',
    'f',
    '.',
    'e',
    '+',
    '-',
    'x',
    'o',
    ':',
    ' ',
    'z',
    '00',
    '9'.repeat(30),
  );
  const rest = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));

  it('are what short ones are that differ in underscores', () => {
    fc.assert(
      fc.property(first, rest, (head, tail) => {
        const text = `${head}${'_'.repeat(5_000)}${tail}`;
        const short = resolvePlain(`${head}_${tail}`);
        expect(resolvePlain(text)).toEqual(short.type === 'str' ? { type: 'str', value: text } : short);
      }),
    );
  });

  it.each([
    ['0', '17', { type: 'int', value: 15n }],
    ['-0', '17', { type: 'int', value: -15n }],
    ['0', '8', { type: 'float', value: 8 }],
    ['0x', 'ff', { type: 'int', value: 255n }],
    ['0b', '1', { type: 'int', value: 1n }],
    ['0.', '1', { type: 'float', value: 0 }],
    ['1e', '1', { type: 'float', value: 10 }],
    ['2024-01-01 00:00:00.', '', undefined],
    ['0o', 'x', undefined],
  ])('may have zeros between %s and %s', (head, tail, expected) => {
    const text = `${head}${'0'.repeat(5_000)}${tail}`;
    const isTime = head.includes(':');
    expect(resolvePlain(text)).toEqual(expected ?? { type: isTime ? 'timestamp' : 'str', value: text });
  });

  it('are read with pauses', () => {
    let pauses = 0;
    for (const steps = resolveScalarSteps('', '1_'.repeat(500_000)); !steps.next().done; ) pauses++;
    expect(pauses).toBeGreaterThan(10);
  });
});
