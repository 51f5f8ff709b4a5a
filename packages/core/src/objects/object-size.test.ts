import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json/json.ts';
import { jsonSize, MAXIMUM_OBJECT_BYTES, ObjectTooLargeError } from './object-size.ts';

describe('jsonSize', () => {
  const plain = fc.jsonValue({ noUnicodeString: true, maxDepth: 6 }).filter((value) => {
    const text = JSON.stringify(value);
    return !text.includes('\\') && !text.includes('-0');
  });

  it('is the size of the text', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(jsonSize(value as JsonValue)).toBe(JSON.stringify(value).length);
      }),
    );
  });

  it('ends once the limit is passed', () => {
    let reads = 0;
    const item = Object.defineProperty({}, 'a', { enumerable: true, get: () => String(reads++) });
    const size = jsonSize(new Array(100_000).fill(item) as JsonValue, 150_000);
    expect(size).toBeGreaterThan(150_000);
    expect(reads).toBeLessThan(50_000);
  });

  it('does not fail on nesting deeper than the stack', () => {
    let value: JsonValue = [];
    for (let depth = 1; depth < 100_000; depth++) value = [value];
    expect(jsonSize(value)).toBe(200_000);
  });
});

it('reports the limit in the words of a 413', () => {
  const error = new ObjectTooLargeError();
  expect(error.limit).toBe(MAXIMUM_OBJECT_BYTES);
  expect(error.message).toBe('Request entity too large: limit is 3145728');
});
