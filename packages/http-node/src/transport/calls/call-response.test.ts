import { describe, expect, it } from 'vitest';
import { CallResponse } from './call-response.ts';

const HEAD = { status: 200, headers: {}, length: 'end', keepsAlive: false } as const;
/** With what its piece takes itself. */
const NEARLY_MEBIBYTE = Buffer.alloc(1024 * 1024 - 128);

function answer(): { answer: CallResponse; calls: string[] } {
  const calls: string[] = [];
  const source = {
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    abandon: () => calls.push('abandon'),
  };
  return { answer: new CallResponse(HEAD, source), calls };
}

describe('CallResponse', () => {
  it('takes no more from its connection than its reader reads', async () => {
    const { answer: waiting, calls } = answer();
    waiting.add(NEARLY_MEBIBYTE);
    expect(calls).toEqual([]);
    waiting.add(NEARLY_MEBIBYTE);
    waiting.add(NEARLY_MEBIBYTE);
    expect(calls).toEqual(['pause']);
    const reader = waiting.stream()[Symbol.asyncIterator]();
    await reader.next();
    expect(calls).toEqual(['pause', 'resume']);
    waiting.complete();
    let pieces = 1;
    for (let next = await reader.next(); !next.done; next = await reader.next()) pieces++;
    expect([pieces, calls.length]).toEqual([3, 2]);
  });

  it('counts the memory of pieces of one byte', () => {
    const { answer: waiting, calls } = answer();
    for (let i = 0; i < 8000; i++) waiting.add(Buffer.from('a'));
    expect(calls).toEqual([]);
    for (let i = 0; i < 200; i++) waiting.add(Buffer.from('a'));
    expect(calls).toEqual(['pause']);
  });

  it('does not touch a connection that may serve the next request', async () => {
    const { answer: complete, calls } = answer();
    for (let i = 0; i < 3; i++) complete.add(NEARLY_MEBIBYTE);
    complete.complete();
    for await (const _ of complete.stream()) break;
    expect(calls).toEqual(['pause']);
    expect(await complete.body()).toHaveLength(0);
  });

  it('gives the connection up when its reader leaves before the end', async () => {
    const { answer: left, calls } = answer();
    left.add(NEARLY_MEBIBYTE);
    for await (const _ of left.stream()) break;
    expect(calls).toEqual(['abandon']);
  });

  it('ends with the error of its connection, after what has arrived', async () => {
    const { answer: broken } = answer();
    broken.add(Buffer.from('a'));
    const reader = broken.stream()[Symbol.asyncIterator]();
    expect((await reader.next()).value).toEqual(Buffer.from('a'));
    const next = reader.next();
    broken.fail(new Error('broken'));
    await expect(next).rejects.toThrow('broken');
  });
});
