import fc from 'fast-check';
import protobuf from 'protobufjs/minimal.js';
import { describe, expect, it } from 'vitest';
import { ProtobufWriter } from './protobuf-writer.ts';

type Step =
  | { readonly write: 'uint32' | 'fixed32'; readonly value: number }
  | { readonly write: 'double'; readonly value: number }
  | { readonly write: 'bool'; readonly value: boolean }
  | { readonly write: 'string'; readonly value: string }
  | { readonly write: 'bytes'; readonly value: Uint8Array }
  | { readonly write: 'message'; readonly value: readonly Step[] };

/** The encoding of another writer. */
function expected(writer: protobuf.Writer, steps: readonly Step[]): protobuf.Writer {
  for (const { write, value } of steps) {
    if (write === 'message') expected(writer.fork(), value).ldelim();
    else (writer[write] as (value: unknown) => unknown)(value);
  }
  return writer;
}

function written(writer: ProtobufWriter, steps: readonly Step[]): ProtobufWriter {
  for (const { write, value } of steps) {
    if (write === 'message') written(writer.fork(), value).ldelim();
    else (writer[write] as (value: unknown) => unknown)(value);
  }
  return writer;
}

const { steps } = fc.letrec<{ step: Step; steps: Step[] }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 6 }),
  step: fc.oneof(
    { depthSize: 'small' },
    fc.record({
      write: fc.constantFrom('uint32' as const, 'fixed32' as const),
      value: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    }),
    fc.record({ write: fc.constant('double' as const), value: fc.double() }),
    fc.record({ write: fc.constant('bool' as const), value: fc.boolean() }),
    fc.record({
      write: fc.constant('string' as const),
      value: fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ minLength: 40, maxLength: 20_000, size: 'max' }),
      ),
    }),
    fc.record({ write: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ write: fc.constant('message' as const), value: tie('steps') }),
  ),
}));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('ProtobufWriter', () => {
  it('encodes what another writer encodes', () => {
    fc.assert(
      fc.property(steps, (made) => {
        expect(hex(written(new ProtobufWriter(), made).finish())).toBe(
          hex(expected(protobuf.Writer.create(), made).finish()),
        );
      }),
    );
  });

  it('encodes integers of 64 bits in two’s complement', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const bits = BigInt.asUintN(64, value);
        const { low, high } = { low: Number(bits & 0xffffffffn) | 0, high: Number(bits >> 32n) | 0 };
        const other = protobuf.Writer.create().int64({ low, high, unsigned: false } as never);
        expect(hex(new ProtobufWriter().int64(value).finish())).toBe(hex(other.finish()));
      }),
    );
    expect(hex(new ProtobufWriter().int64(-1).finish())).toBe('ffffffffffffffffff01');
    expect(hex(new ProtobufWriter().int64(2 ** 53 - 1).finish())).toBe('ffffffffffffff0f');
  });

  it('encodes lengths of more than a byte', () => {
    for (const length of [0, 127, 128, 16_383, 16_384, 2_097_152]) {
      const text = 'a'.repeat(length);
      const bytes = new ProtobufWriter().fork().string(text).ldelim().finish();
      expect(hex(bytes)).toBe(hex(protobuf.Writer.create().fork().string(text).ldelim().finish()));
    }
  });

  it('can be used several times at once', () => {
    const first = new ProtobufWriter().string('first');
    const second = new ProtobufWriter().string('second');
    expect([hex(first.finish()), hex(second.finish())]).toEqual(['056669727374', '067365636f6e64']);
  });

  it('rejects ending a message that was not started', () => {
    expect(() => new ProtobufWriter().ldelim()).toThrow(TypeError);
  });
});
