import { runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJsonSteps, encodeJsonText } from './json-encode.ts';

describe('encodeJsonText', () => {
  it('escapes what could end a script', () => {
    expect(encodeJsonText({ '<a>': '&\u2028\u2029' })).toBe('{"\\u003ca\\u003e":"\\u0026\\u2028\\u2029"}');
  });

  it('prints integers of 64 bits and the sign of -0', () => {
    expect(encodeJsonText([9007199254740993n, -0, 1e21, 1e-7])).toBe('[9007199254740993,-0,1e+21,1e-7]');
  });

  it('indents by two spaces, with empty containers on one line', () => {
    const value = { a: [], b: {}, c: [1, { d: 2n }], e: undefined };
    const text = '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n      "d": 2\n    }\n  ]\n}\n';
    expect(encodeJsonText(value, { pretty: true, newline: true })).toBe(text);
    expect(encodeJsonText({ ...value, c: [1, { d: 2 }] }, { pretty: true, newline: true })).toBe(text);
  });

  it('sorts members by the bytes of their names', () => {
    expect(encodeJsonText({ b: 1, '\u{1f600}': 2, '\uffff': 3, a: 4, 10: 5, 9: 6 }, { sortKeys: true })).toBe(
      '{"10":5,"9":6,"a":4,"b":1,"\uffff":3,"\u{1f600}":2}',
    );
  });

  it('rejects values that contain themselves, and writes those that stand twice', () => {
    const native: Record<string, unknown> = { a: { b: [1, 2] } };
    native.self = { native };
    const other: Record<string, unknown> = { big: 5n };
    other.self = [other];
    for (const value of [native, other, [native]]) {
      expect(() => encodeJsonText(value)).toThrow('a value that contains itself cannot be encoded');
      expect(() => encodeJsonText(value, { sortKeys: true })).toThrow(
        'a value that contains itself cannot be encoded',
      );
      expect(() => runAtOnce(encodeJsonSteps(value))).toThrow(
        'a value that contains itself cannot be encoded',
      );
    }
    const shared = { a: 1 };
    const often = Array.from({ length: 150_000 }, () => shared);
    expect(JSON.parse(encodeJsonText(often))).toEqual(often);
  });

  it('rejects what JSON cannot represent', () => {
    expect(() => encodeJsonText([Number.NaN])).toThrow(TypeError);
    expect(() => encodeJsonText({ a: () => 1 })).toThrow('JSON has no function');
  });

  it('encodes the maximum nesting', () => {
    let value: unknown = 1;
    for (let i = 0; i < 10_000; i++) value = i % 2 ? [value] : { a: value };
    expect(encodeJsonText(value)).toHaveLength(10_000 * 2 + 5_000 * 4 + 1);
  });

  it('encodes the same with its own writer as natively', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, pretty) => {
        const own = encodeJsonText([value, 1n], { pretty });
        expect(own).toBe(encodeJsonText([value, 1], { pretty }));
      }),
    );
  });
});

describe('encodeJsonSteps', () => {
  const pausesOf = (value: unknown): { readonly pauses: number; readonly text: string } => {
    const steps = encodeJsonSteps(value);
    for (let pauses = 0; ; pauses++) {
      const { done, value: bytes } = steps.next();
      if (done) return { pauses, text: new TextDecoder().decode(bytes) };
    }
  };
  const many = Array.from({ length: 3000 }, (_, i) => ({ name: `<${i}>`, list: [i, null, true] }));

  it('encodes the same, with pauses about every thousand values', () => {
    const { pauses, text } = pausesOf(many);
    expect(text).toBe(encodeJsonText(many));
    expect(pauses).toBeGreaterThan(15);
  });

  it('writes what encodeJsonText writes, however large its parts are', () => {
    const long = fc.constantFrom('x'.repeat(70_000), '<é\u2028"\\\n'.repeat(20_000));
    const many = fc.constantFrom<unknown>(
      Array.from({ length: 2000 }, (_, i) => i % 3),
      Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`<${i}>`, i % 2 ? undefined : null])),
    );
    const part = fc.oneof(fc.jsonValue(), long, many, fc.constantFrom(undefined, -0, 5n));
    const object = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), part);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(object, fc.array(fc.jsonValue()), long, many)),
        fc.boolean(),
        (value, pretty) => {
          const whole = new TextEncoder().encode(encodeJsonText(value, { pretty }));
          expect(Buffer.compare(runAtOnce(encodeJsonSteps(value, { pretty })), whole)).toBe(0);
        },
      ),
    );
  });

  it('writes an object of many scalars in one piece, and pauses only to escape them', () => {
    const flat = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '<']));
    expect(pausesOf({ spec: flat(9_000) }).pauses).toBeLessThan(8);
    const { pauses, text } = pausesOf({ spec: flat(31_000), other: { ...flat(2_000), list: [] } });
    expect(text).toBe(encodeJsonText({ spec: flat(31_000), other: { ...flat(2_000), list: [] } }));
    expect(pauses).toBeGreaterThan(4);
    expect(pausesOf({ spec: flat(40_000) }).pauses).toBeGreaterThan(30);
    // before each of two objects is written, and after it
    expect(pausesOf({ a: flat(9_000), b: flat(9_000) }).pauses).toBeGreaterThan(4);
  });

  it('lists the members of a large part once while it is there, if it is frozen with all that is in it', () => {
    let listed = 0;
    const handler = {
      ownKeys(target: object) {
        listed++;
        return Reflect.ownKeys(target);
      },
    };
    const partOf = (): Record<string, object> =>
      Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`f:k${i}`, Object.freeze({})]));
    const encode = (part: object): number => {
      const before = listed;
      // the first part is large, so that others are known to be in a large object
      const value = { first: Array.from({ length: 3000 }, () => ['a']), part };
      expect(new TextDecoder().decode(runAtOnce(encodeJsonSteps(value)))).toBe(JSON.stringify(value));
      return listed - before;
    };
    const changing = new Proxy(partOf(), handler);
    const lasting = new Proxy(Object.freeze(partOf()), handler);
    const inside = Object.freeze({ ...partOf(), last: {} as Record<string, never> });
    const first = encode(lasting);
    // what is left is that of `JSON.stringify` in this test
    expect(encode(lasting)).toBeLessThan(first);
    expect(encode(lasting)).toBe(1);
    encode(changing);
    expect(encode(changing)).toBeGreaterThan(1);
    (changing as Record<string, unknown>).more = 1;
    encode(changing);
    encode(inside);
    (inside.last as Record<string, unknown>).more = 1;
    encode(inside);
  });

  it('does not pause for what is small', () => {
    expect(pausesOf(many.slice(0, 100)).pauses).toBe(0);
  });

  it.each([
    ['alone', (text: string): unknown => text],
    ['in an object', (text: string): unknown => ({ text: text + 'x'.repeat(3_000_000) })],
  ])('pauses in one long text %s, and not inside of a character', (_, around) => {
    for (const text of ['<', 'x', '\u{1f600}', '\ud800', 'x\u{1f600}y'].map((each) => each.repeat(400_000))) {
      const { pauses, text: written } = pausesOf(around(text));
      expect(pauses).toBeGreaterThan(5);
      // not printed, as it is long
      expect(written === encodeJsonText(around(text))).toBe(true);
    }
  });

  it('pauses in what the language cannot write, too', () => {
    const value = [1n, ...many];
    const { pauses, text } = pausesOf(value);
    expect(text).toBe(encodeJsonText(value));
    expect(pauses).toBeGreaterThan(15);
  });

  it('rejects what JSON cannot represent', () => {
    expect(() => pausesOf([Number.NaN])).toThrow('JSON has no NaN');
  });
});
