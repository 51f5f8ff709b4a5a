import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileProtobuf } from './protobuf.ts';
import { decodeEnvelope, encodeEnvelope, envelopeFrame } from './protobuf-envelope.ts';
import { protobufItemMessage, protobufListFrame, protobufListItem } from './protobuf-list.ts';

const message = fc.uint8Array({ maxLength: 40_000, size: 'max' });
const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

describe('an item of a list', () => {
  it('round-trips its message', () => {
    fc.assert(
      fc.property(message, (bytes) => {
        expect(protobufItemMessage(protobufListItem(bytes))).toEqual(bytes);
      }),
    );
  });

  it('has a length prefix of minimum size', () => {
    const starts = [0, 127, 128, 16_383, 16_384].map((length) => {
      const item = protobufListItem(new Uint8Array(length));
      return Buffer.from(item.subarray(0, item.length - length)).toString('hex');
    });
    expect(starts).toEqual(['1200', '127f', '128001', '12ff7f', '12808001']);
  });
});

describe('a list in pieces', () => {
  const item = { type: 'object', properties: { name: { type: 'string', tag: 1 } } } as const;
  const codec = compileProtobuf({
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { continue: { type: 'string', tag: 3 } }, tag: 1 },
      items: { type: 'array', items: item, tag: 2 },
    },
  });

  it('equals the complete list', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (names, next) => {
        const list = { metadata: { continue: next }, items: names.map((name) => ({ name })) };
        const items = list.items.map((object) => protobufListItem(compileProtobuf(item).encode(object)));
        const metadata = codec.encode({ metadata: list.metadata }).subarray(2);
        const itemBytes = joined(items).length;
        const { head, tail } = protobufListFrame({ apiVersion: 'v1', kind: 'AList', metadata, itemBytes });
        expect(decodeEnvelope(joined([head, ...items, tail]))).toMatchObject({
          apiVersion: 'v1',
          kind: 'AList',
          raw: codec.encode(list),
        });
      }),
    );
  });
});

describe('an envelope in pieces', () => {
  it('equals the complete envelope', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), message, (apiVersion, kind, raw) => {
        const { head, tail } = envelopeFrame({ apiVersion, kind, rawBytes: raw.length });
        expect(joined([head, raw, tail])).toEqual(encodeEnvelope({ apiVersion, kind, raw }));
      }),
    );
  });
});
