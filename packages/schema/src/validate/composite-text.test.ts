import { type PrintedValue, printFieldValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { printedComposite } from './composite-text.ts';

describe('printedComposite', () => {
  it.each([
    [{ name: 'a' }, 'map[string]interface {}{"name":"a"}'],
    [
      { b: [1, 1.5, null], a: true },
      'map[string]interface {}{"a":true, "b":[]interface {}{1, 1.5, interface {}(nil)}}',
    ],
    [[], '[]interface {}{}'],
    ['x', '"x"'],
    [3, '3'],
  ])('prints %j', (value, text) => {
    expect(printFieldValue(printedComposite(value))).toBe(text);
  });

  it('ends in deep values', () => {
    let deep: unknown = {};
    for (let level = 0; level < 20_000; level++) deep = { deep };
    expect((printedComposite(deep as never) as PrintedValue).text).toContain('…');
  });
});
