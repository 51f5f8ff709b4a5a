import fc from 'fast-check';
import protobuf from 'protobufjs/minimal.js';
import { describe, expect, test } from 'vitest';
import {
  boolean,
  bytes,
  defineMessage,
  identifier,
  integer,
  MalformedMessageError,
  message,
  messages,
  text,
} from './protobuf-message.ts';

interface Inner {
  readonly name: string;
  readonly size: number;
}
interface Outer {
  readonly id: bigint;
  readonly count: number;
  readonly is: boolean;
  readonly label: string;
  readonly data: Uint8Array;
  readonly one?: Inner;
  readonly many: readonly Inner[];
}
const inner = defineMessage<Inner>('Inner', { name: text(1), size: integer(2) });
const outer = defineMessage<Outer>('Outer', {
  id: identifier(1),
  count: integer(3),
  is: boolean(4),
  label: text(16),
  data: bytes(17),
  one: message(100, inner),
  many: messages(11, inner),
});

const innerValue = fc.record({ name: fc.string({ unit: 'grapheme' }), size: fc.maxSafeNat() });
const outerValue: fc.Arbitrary<Outer> = fc.record(
  {
    id: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    count: fc.maxSafeNat(),
    is: fc.boolean(),
    label: fc.string({ unit: 'grapheme' }),
    data: fc.uint8Array({ maxLength: 300 }),
    one: innerValue,
    many: fc.array(innerValue),
  },
  { requiredKeys: ['id', 'count', 'is', 'label', 'data', 'many'] },
);

const plain = (value: Outer) => ({ ...value, data: [...value.data] });

describe('messages', () => {
  test('round-trip', () => {
    fc.assert(
      fc.property(outerValue, (value) => {
        expect(plain(outer.decode(outer.encode(value)))).toEqual(plain(value));
      }),
    );
  });

  test('have default values for omitted members, and skip unknown fields', () => {
    const writer = protobuf.Writer.create();
    writer.uint32((7 << 3) | 0).uint32(1);
    writer.uint32((8 << 3) | 2).string('unknown');
    writer.uint32((9 << 3) | 5).fixed32(1);
    // a known field number with another wire type is unknown
    writer.uint32((16 << 3) | 0).uint32(1);
    expect(outer.decode(writer.finish())).toEqual({
      id: 0n,
      count: 0,
      is: false,
      label: '',
      data: new Uint8Array(),
      one: undefined,
      many: [],
    });
  });

  test('fail only with MalformedMessageError, for any bytes', () => {
    const anything = fc.uint8Array({ maxLength: 60 });
    const cut = fc.tuple(outerValue, fc.nat()).map(([value, at]) => {
      const whole = outer.encode(value);
      return whole.subarray(0, at % (whole.length + 1));
    });
    fc.assert(
      fc.property(fc.oneof(anything, cut), (data) => {
        try {
          outer.decode(data);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMessageError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('reject integers beyond numbers, and hold identifiers of any size', () => {
    const number = defineMessage<{ value: number }>('Number', { value: integer(1) });
    const name = defineMessage<{ value: bigint }>('Name', { value: identifier(1) });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const data = name.encode({ value });
        expect(name.decode(data).value).toBe(value);
        if (value <= BigInt(Number.MAX_SAFE_INTEGER)) expect(number.decode(data).value).toBe(Number(value));
        else expect(() => number.decode(data)).toThrow('beyond 2^53');
      }),
    );
    expect(() => number.decode(name.encode({ value: 2n ** 53n }))).toThrow(MalformedMessageError);
    expect(number.decode(name.encode({ value: 2n ** 53n - 1n })).value).toBe(2 ** 53 - 1);
  });

  test('do not read beyond the enclosing message', () => {
    const data = Uint8Array.of((11 << 3) | 2, 2, (1 << 3) | 2, 9, 65);
    expect(() => outer.decode(data)).toThrow(MalformedMessageError);
  });
});
