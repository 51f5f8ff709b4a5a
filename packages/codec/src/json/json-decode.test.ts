import { MAXIMUM_JSON_DEPTH, runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../serializers/decode-error.ts';
import { jsonSerializer } from '../serializers/serializer.ts';
import { encodeUtf8 } from '../serializers/utf8.ts';
import { decodeJson, decodeJsonSteps, requireJsonLimits } from './json-decode.ts';

const read = (text: string, options = {}) => decodeJson(encodeUtf8(text), options);
const thrown = (decode: () => unknown): DecodeError => {
  try {
    decode();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new Error('decoded');
};
const fault = (text: string): string => thrown(() => read(text)).message;

/** Decoded values: integers of 64 bits are exact, lone surrogates are replaced. */
function asDecoded(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const exact = Math.abs(value) < 1e21 ? BigInt(String(value)) : undefined;
    return exact !== undefined && BigInt.asIntN(64, exact) === exact ? exact : value;
  }
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return value.map(asDecoded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [asDecoded(key), asDecoded(member)]),
  );
}

describe('decodeJson', () => {
  it('decodes 64-bit integers exactly and longer ones as doubles', () => {
    const { value } = read('[9007199254740991,9007199254740993,-9223372036854775808,9223372036854775808]');
    expect(value).toEqual([9007199254740991, 9007199254740993n, -9223372036854775808n, 2 ** 63]);
  });

  it('decodes -0 as the integer 0 and -0.0 as a float', () => {
    const [integer, float] = read('[-0,-0.0]').value as number[];
    expect(Object.is(integer, 0)).toBe(true);
    expect(Object.is(float, -0)).toBe(true);
  });

  it('rejects numbers beyond a double', () => {
    expect(fault('[1e400]')).toBe('json: cannot unmarshal number 1e400 into Go value of type float64');
  });

  it('reports repeated members by path, once, before their contents', () => {
    const text = '{"metadata":{"labels":{"a":1,"a":2,"a":3}},"items":[{},{"x":{"y":1,"y":2},"x":0}]}';
    const { value, duplicates } = read(text, { duplicates: 'report' });
    expect(duplicates).toEqual(['metadata.labels.a', 'items[1].x.y', 'items[1].x']);
    expect(value).toEqual({ metadata: { labels: { a: 3 } }, items: [{}, { x: 0 }] });
  });

  it('detects a repeated member in any spelling', () => {
    expect(read('{"a":1,"\\u0061":2}', { duplicates: 'report' }).duplicates).toEqual(['a']);
  });

  it('reports no more than 100 repeated members', () => {
    const members = Array.from({ length: 150 }, (_, i) => `"k${i}":1`).join(',');
    expect(read(`{${members},${members}}`, { duplicates: 'report' }).duplicates).toHaveLength(100);
  });

  it('lets the caller merge repeated members', () => {
    const resolveDuplicate = (a: object, b: object) => ({ ...a, ...b });
    expect(read('{"d":{"a":1},"d":{"b":2}}', { resolveDuplicate }).value).toEqual({ d: { a: 1, b: 2 } });
  });

  it('reports decimals with integer values', () => {
    const { value, integerDecimals } = read('{"a":[1,1.0,1e2,1.5]}', {
      integerDecimals: 'report',
    });
    expect(value).toEqual({ a: [1, 1, 100, 1.5] });
    expect(integerDecimals).toEqual([
      { path: 'a[1]', text: '1.0' },
      { path: 'a[2]', text: '1e2' },
    ]);
  });

  it('replaces each invalid byte and each lone surrogate with U+FFFD', () => {
    const bytes = Uint8Array.from([0x22, 0xe2, 0x82, 0x22]);
    expect(decodeJson(bytes).value).toBe('\ufffd\ufffd');
    expect(read('"\\ud800x\\ude00\\ud83d\\ude00"').value).toBe('\ufffdx\ufffd😀');
  });

  it('keeps a member called __proto__', () => {
    const { value } = read('{"__proto__":{"a":-0}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 2}', "invalid character '2' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{1}', "invalid character '1' looking for beginning of object key string"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['"\\q"', "invalid character 'q' in string escape code"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ])('rejects %j', (text, message) => {
    expect(fault(text)).toBe(message);
  });

  it('decodes the maximum nesting and rejects more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(Array.isArray(read(nested(MAXIMUM_JSON_DEPTH)).value)).toBe(true);
    expect(fault(nested(MAXIMUM_JSON_DEPTH + 1))).toBe("invalid character '[' exceeded max depth");
  });

  it('rejects too many values, not counting names of members', () => {
    const limits = { maximumValues: 4 };
    for (const text of ['[1,"a",{}]', '{"a":[],"b":true,"c":null}'])
      expect(read(text, limits).value).toEqual(JSON.parse(text));
    for (const text of ['[1,"a",{},[]]', '{"a":[[]],"b":false,"c":-1.5e3}', '[0,0,0,0']) {
      const error = thrown(() => read(text, limits));
      expect(error).toBeInstanceOf(DecodeError);
      expect(error).toMatchObject({
        kind: 'too-large',
        message: expect.stringContaining('more than 4 values'),
      });
    }
    expect(thrown(() => jsonSerializer.decode(encodeUtf8('[0,0,0,0]'), limits))).toMatchObject({
      kind: 'too-large',
    });
    expect(thrown(() => read('[0,'))).toMatchObject({ kind: 'malformed' });
  });

  it('checks only limits', () => {
    const look = (text: string) => runAtOnce(requireJsonLimits(encodeUtf8(text), { maximumValues: 2 }));
    look('[1');
    expect(thrown(() => look('[1,2]'))).toMatchObject({ kind: 'too-large' });
    const deep = '['.repeat(MAXIMUM_JSON_DEPTH + 1);
    expect(thrown(() => look(deep)).message).toBe("invalid character '[' exceeded max depth");
  });

  it('takes time linear in the text, however often and deep a member is repeated', () => {
    const text = `${'{"a":'.repeat(900)}{${'"b":{"c":1,"c":2},'.repeat(30_000)}"b":1}${'}'.repeat(900)}`;
    const { duplicates } = read(text, { duplicates: 'report' });
    expect(duplicates).toEqual([`${'a.'.repeat(900)}b.c`, `${'a.'.repeat(900)}b`]);
  });

  it('pauses about once per thousand values, with the same result', () => {
    for (const text of [`[${'1,'.repeat(40_000)}{"a":1}]`, `[${'-0,'.repeat(40_000)}{"a":1,"a":2}]`]) {
      const options = { duplicates: 'report' } as const;
      const steps = decodeJsonSteps(encodeUtf8(text), options);
      let pauses = 0;
      let step = steps.next();
      for (; !step.done; step = steps.next()) pauses++;
      expect(pauses).toBeGreaterThan(0);
      expect(step.value).toEqual(read(text, options));
    }
  });

  it('round-trips any value, by either parser', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        const expected = asDecoded(value);
        expect(read(text).value).toEqual(expected);
        // an escaped surrogate requires the careful parser
        expect(read(`[${text},"\\ud83d\\ude00"]`, { duplicates: 'report' }).value).toEqual([expected, '😀']);
      }),
    );
  });

  it('accepts what JSON.parse accepts and throws nothing but DecodeError', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      'true',
      '\\',
      '"',
      ' ',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(fault(text)).not.toBe('');
          return;
        }
        expect(read(text).value).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
