import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameReader, MessageTooLongError, toFrame } from './message-frames.ts';

/** Cuts bytes at these positions. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end));
}

describe('frames', () => {
  test('return the messages however the bytes are cut', () => {
    const message = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 60 }),
        (messages, places) => {
          const received: number[][] = [];
          const reader = new FrameReader(200, (bytes) => received.push([...bytes]));
          const whole = Buffer.concat(messages.map(toFrame));
          for (const chunk of cutAt(whole, places)) reader.push(chunk);
          expect(received).toEqual(messages.map((bytes) => [...bytes]));
        },
      ),
    );
  });

  test('reject messages that are too long as soon as their length is known', () => {
    const reader = new FrameReader(99, () => {});
    const frame = Buffer.from(toFrame(new Uint8Array(100)));
    reader.push(frame.subarray(0, 4));
    expect(() => reader.push(frame.subarray(4, 5))).toThrow(MessageTooLongError);
  });

  test('reject compressed messages', () => {
    const reader = new FrameReader(99, () => {});
    expect(() => reader.push(Buffer.of(1, 0, 0, 0, 0))).toThrow('compressed');
  });
});
