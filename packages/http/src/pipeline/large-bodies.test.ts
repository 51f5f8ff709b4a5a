import type { Turns } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { LargeBodies } from './large-bodies.ts';

const MEBIBYTE = 1024 * 1024;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param turnMilliseconds how long the event loop takes until it is the turn of others */
function largeBodies(turnMilliseconds = 0) {
  const clock = createSteppedClock();
  const turns = {
    pause: async () => {
      await settled();
      clock.advance(turnMilliseconds);
    },
  } as unknown as Turns;
  const bodies = new LargeBodies({ clock, turns });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  /** @param name the user, and a letter */
  const send = async (name: string, bytes: number, isYaml = false): Promise<void> => {
    void bodies.begin(name.slice(0, -1), bytes, isYaml).then((end) => {
      begun.push(name);
      ends.set(name, end);
    });
    await settled();
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settled();
  };
  return { clock, begun, send, end };
}

describe('LargeBodies', () => {
  it('begin together if they are small enough', async () => {
    const { begun, send, end } = largeBodies();
    for (const letter of 'abcd') await send(`ann-${letter}`, MEBIBYTE);
    expect(begun).toEqual(['ann-a', 'ann-b', 'ann-c']);
    await end('ann-b');
    expect(begun).toEqual(['ann-a', 'ann-b', 'ann-c', 'ann-d']);
  });

  it('begin alone if they are larger than all may be together', async () => {
    const { begun, send, end } = largeBodies();
    await send('ann-a', 4 * MEBIBYTE);
    await send('ann-b', 4 * MEBIBYTE);
    await send('ann-c', 1);
    expect(begun).toEqual(['ann-a']);
    await end('ann-a');
    expect(begun).toEqual(['ann-a', 'ann-b']);
    await end('ann-b');
    expect(begun).toEqual(['ann-a', 'ann-b', 'ann-c']);
  });

  it('count several times as much in YAML', async () => {
    const { begun, send } = largeBodies();
    await send('ann-a', MEBIBYTE / 8, true);
    await send('ann-b', MEBIBYTE / 2);
    await send('ann-c', MEBIBYTE / 8, true);
    expect(begun).toEqual(['ann-a', 'ann-b']);
  });

  it('begin one of each user at a time', async () => {
    const { begun, send, end } = largeBodies();
    for (const letter of 'abc') await send(`ann-${letter}`, 3 * MEBIBYTE);
    await send('bob-a', 3 * MEBIBYTE);
    await end('ann-a');
    await end('ann-b');
    await end('bob-a');
    expect(begun).toEqual(['ann-a', 'ann-b', 'bob-a', 'ann-c']);
  });

  it('do not hold up others while they wait for something else', async () => {
    const { clock, begun, send, end } = largeBodies();
    await send('ann-a', 3 * MEBIBYTE);
    await send('bob-a', 3 * MEBIBYTE);
    clock.advance(1000);
    await settled();
    await settled();
    expect(begun).toEqual(['ann-a', 'bob-a']);
    await send('cid-a', 3 * MEBIBYTE);
    // ended already
    await end('ann-a');
    expect(begun).toEqual(['ann-a', 'bob-a']);
    await end('bob-a');
    expect(begun).toEqual(['ann-a', 'bob-a', 'cid-a']);
  });

  it('hold up others for longer while the event loop is busy, but not for ever', async () => {
    const { clock, begun, send } = largeBodies(25);
    await send('ann-a', 3 * MEBIBYTE);
    await send('bob-a', 3 * MEBIBYTE);
    const aSecondLater = async (): Promise<void> => {
      clock.advance(1000);
      await settled();
      await settled();
    };
    for (let second = 0; second < 9; second++) await aSecondLater();
    expect(begun).toEqual(['ann-a']);
    await aSecondLater();
    expect(begun).toEqual(['ann-a', 'bob-a']);
  });

  it('count no longer once they have ended while it is looked whether the event loop is busy', async () => {
    const { clock, begun, send, end } = largeBodies(25);
    await send('ann-a', 3 * MEBIBYTE);
    clock.advance(1000);
    await end('ann-a');
    await send('bob-a', 3 * MEBIBYTE);
    await send('cid-a', 3 * MEBIBYTE);
    expect(begun).toEqual(['ann-a', 'bob-a']);
  });
});
