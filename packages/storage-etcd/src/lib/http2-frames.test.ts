import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FRAME_BYTES, Http2FrameReader, toHttp2Frame, withoutPadding } from './http2-frames.ts';

describe('frames', () => {
  test('come as they went, however they are cut on the way', () => {
    const frame = fc.record({
      type: fc.nat(255),
      flags: fc.nat(255),
      stream: fc.nat(0x7fff_ffff),
      payload: fc.uint8Array({ maxLength: 50 }),
    });
    fc.assert(
      fc.property(fc.array(frame), fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (frames, sizes) => {
        const bytes = Buffer.concat(
          frames.map((one) => toHttp2Frame(one.type, one.flags, one.stream, one.payload)),
        );
        const seen: unknown[] = [];
        const reader = new Http2FrameReader((type, flags, stream, payload) =>
          seen.push({ type, flags, stream, payload: new Uint8Array(payload) }),
        );
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value as number;
          reader.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(seen).toEqual(frames);
      }),
    );
  });

  test('that are longer than agreed on are refused before they have come', () => {
    const frame = toHttp2Frame(0, 0, 1, new Uint8Array(FRAME_BYTES + 1));
    expect(() => new Http2FrameReader(() => {}).push(frame.subarray(0, 9))).toThrow(RangeError);
  });

  test('lose their padding, and must not be nothing else', () => {
    expect([...withoutPadding(Buffer.from([2, 7, 8, 0, 0]), 8, false)]).toEqual([7, 8]);
    expect([...withoutPadding(Buffer.from([1, 0, 0, 0, 0, 9, 7, 0]), 8, true)]).toEqual([7]);
    expect(() => withoutPadding(Buffer.from([5, 7]), 8, false)).toThrow(RangeError);
    expect(() => withoutPadding(Buffer.alloc(0), 8, false)).toThrow(RangeError);
  });
});
