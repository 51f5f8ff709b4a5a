import { expect, it } from 'vitest';
import { PausesBetween } from './pauses-between.ts';

/** A clock on which so many milliseconds pass between two looks. */
function clockOf(milliseconds: number) {
  let now = 1;
  return { now: () => 0, monotonic: () => (now += milliseconds), setTimer: () => ({ clear() {} }) };
}

async function pausesOf(count: number, milliseconds: number): Promise<number> {
  let pauses = 0;
  const turns = { pause: async () => void pauses++ };
  const between = new PausesBetween({ clock: clockOf(milliseconds), turns } as never);
  for (let i = 0; i < count; i++) await between.next();
  return pauses;
}

it('lets others in as often as many things take long, and not between few', async () => {
  expect(await pausesOf(1_000, 20)).toBeGreaterThan(20);
  expect(await pausesOf(1_000, 2)).toBeGreaterThan(5);
  expect(await pausesOf(1_000, 0.01)).toBe(0);
  expect(await pausesOf(20, 20)).toBe(0);
});
