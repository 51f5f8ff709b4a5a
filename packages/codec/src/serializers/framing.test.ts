import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCbor } from '../cbor/cbor-decode.ts';
import { diagnoseCbor } from '../cbor/cbor-diagnostic.ts';
import { encodeCbor } from '../cbor/cbor-encode.ts';
import {
  decodeProtobufEvent,
  frameCborEvent,
  frameJsonEvent,
  frameProtobufEvent,
  readCborItems,
  readFrames,
  readLines,
} from './framing.ts';
import { cborSerializer } from './serializer.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

/** Bytes as a stream, cut at the given positions. */
async function* stream(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield bytes.subarray(start, cut);
    start = Math.max(start, cut);
  }
  yield bytes.subarray(start);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const join = (parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

describe('frameJsonEvent', () => {
  it('is one line with the encoded object', () => {
    const line = decodeUtf8(frameJsonEvent('ADDED', encodeUtf8('{"a":1}\n')));
    expect(line).toBe('{"type":"ADDED","object":{"a":1}}\n');
  });
});

describe('frameProtobufEvent', () => {
  it('is a length and an event, which can be decoded again', () => {
    const object = Uint8Array.from([1, 2, 3]);
    const frame = frameProtobufEvent('DELETED', object);
    expect([...frame.subarray(0, 4)]).toEqual([0, 0, 0, frame.length - 4]);
    const event = decodeProtobufEvent(frame.subarray(4));
    expect([event.type, ...event.object]).toEqual(['DELETED', 1, 2, 3]);
  });
});

describe('frameCborEvent', () => {
  it('is a tagged map whose object has a tag of its own', () => {
    const object = cborSerializer.encode({ a: 1 });
    expect(diagnoseCbor(frameCborEvent('ADDED', object))).toBe(
      "55799({'type': 'ADDED', 'object': 55799({'a': 1})})",
    );
  });
});

describe('readCborItems', () => {
  it('finds items in any chunks', async () => {
    const item = fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true, maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(item), fc.array(fc.nat(80)), async (objects, cuts) => {
        const bytes = join(objects.map((object) => cborSerializer.encode(object)));
        const fitting = cuts.filter((cut) => cut <= bytes.length);
        const read = await collect(readCborItems(stream(bytes, fitting)));
        expect(read.map((part) => decodeCbor(part).value)).toEqual(objects);
      }),
    );
  });

  it('rejects large and invalid items, and streams that end inside one', async () => {
    const text = encodeCbor('x'.repeat(100));
    await expect(collect(readCborItems(stream(text, [50]), 40))).rejects.toThrow('is larger than 40');
    await expect(collect(readCborItems(stream(Uint8Array.of(0xff), [])))).rejects.toThrow(
      'unexpected "break"',
    );
    await expect(collect(readCborItems(stream(text.subarray(0, 60), [])))).rejects.toThrow('unexpected EOF');
  });
});

describe('readLines', () => {
  it('finds lines in any chunks', async () => {
    const line = fc.string({ minLength: 1 }).filter((text) => !text.includes('\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(60)), async (lines, cuts) => {
        const bytes = encodeUtf8(lines.map((text) => `${text}\n`).join('\n'));
        const read = await collect(
          readLines(
            stream(
              bytes,
              cuts.filter((cut) => cut <= bytes.length),
            ),
          ),
        );
        expect(read.map((part) => decodeUtf8(part))).toEqual(lines);
      }),
    );
  });

  it('rejects lines without end', async () => {
    await expect(collect(readLines(stream(new Uint8Array(100).fill(65), [50]), 40))).rejects.toThrow(
      'is larger than 40',
    );
  });
});

describe('readFrames', () => {
  it('finds frames in any chunks', async () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(contents, fc.array(fc.nat(80)), async (frames, cuts) => {
        const bytes = join(frames.flatMap((frame) => [Uint8Array.of(0, 0, 0, frame.length), frame]));
        const read = await collect(
          readFrames(
            stream(
              bytes,
              cuts.filter((cut) => cut <= bytes.length),
            ),
          ),
        );
        expect(read.map((frame) => [...frame])).toEqual(frames.map((frame) => [...frame]));
      }),
    );
  });

  it('rejects large frames and streams that end inside one', async () => {
    await expect(collect(readFrames(stream(Uint8Array.of(0, 0, 1, 0), []), 255))).rejects.toThrow(
      'larger than 255',
    );
    await expect(collect(readFrames(stream(Uint8Array.of(0, 0, 0, 2, 7), [3])))).rejects.toThrow(
      'unexpected EOF',
    );
  });
});
