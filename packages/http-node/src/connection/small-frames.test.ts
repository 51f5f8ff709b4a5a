import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { SmallFrames } from './small-frames.ts';

/** A session whose bodies a test sends at times of its choice. */
function session() {
  const seen = { milliseconds: 0, isEnded: false, frames: 0 };
  const destroy = (): void => {
    seen.isEnded = true;
  };
  const frames = new SmallFrames({ destroy } as unknown as ServerHttp2Session, () => seen.milliseconds);
  const body = (count: number, bytes: number): void => {
    const push = (): boolean => seen.frames++ >= 0;
    const stream = { push } as unknown as ServerHttp2Stream;
    frames.count(stream);
    for (let i = 0; i < count && !seen.isEnded; i++) stream.push(new Uint8Array(bytes));
    stream.push(null);
  };
  return { seen, body };
}

describe('a session of HTTP/2', () => {
  it('is ended when it sends thousands of small frames at once', () => {
    const { seen, body } = session();
    body(1_990, 1);
    expect(seen.isEnded).toBe(false);
    body(50, 1);
    expect(seen.isEnded).toBe(true);
    expect(seen.frames).toBeLessThan(2_050);
  });

  it('is ended whatever it has sent before, and though they are many bodies', () => {
    const { seen, body } = session();
    body(100_000, 1_000);
    for (let i = 0; i < 10; i++) body(1, 1);
    expect(seen.isEnded).toBe(false);
    for (let i = 0; i < 100; i++) body(100, 1);
    expect(seen.isEnded).toBe(true);
  });

  it('may send bodies of a few small frames, any number of usual ones, and small ones over time', () => {
    const { seen, body } = session();
    for (let i = 0; i < 10_000; i++) body(2, 1);
    body(100_000, 64);
    for (let i = 0; i < 1_000; i++) {
      seen.milliseconds += 50;
      body(50, 1);
    }
    expect(seen.isEnded).toBe(false);
  });
});
