import { describe, expect, it } from 'vitest';
import { randomUuid, sleep, timestampText } from './ambient.ts';
import { createSteppedClock } from './stepped-clock.ts';

describe('sleep', () => {
  it('ends when the timer fires', async () => {
    const clock = createSteppedClock();
    const done = sleep(clock, 10);
    clock.advance(10);
    await expect(done).resolves.toBeUndefined();
  });

  it('rejects with the reason of its signal, and clears the timer', async () => {
    const clock = createSteppedClock();
    const controller = new AbortController();
    const done = sleep(clock, 10, controller.signal);
    controller.abort('enough');
    await expect(done).rejects.toBe('enough');
    expect(clock.pending()).toEqual([]);
  });

  it('does not start when the signal is already aborted', async () => {
    const clock = createSteppedClock();
    await expect(sleep(clock, 10, AbortSignal.abort('late'))).rejects.toBe('late');
    expect(clock.pending()).toEqual([]);
  });
});

describe('randomUuid', () => {
  it.each([
    [0x00, '00000000-0000-4000-8000-000000000000'],
    [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ])('sets version and variant over bytes %d', (byte, uuid) => {
    expect(randomUuid({ bytes: (into) => into.fill(byte) })).toBe(uuid);
  });
});

describe('timestampText', () => {
  it('prints whole seconds in UTC', () => {
    expect(timestampText(Date.UTC(2024, 0, 2, 3, 4, 5, 999))).toBe('2024-01-02T03:04:05Z');
  });
});
