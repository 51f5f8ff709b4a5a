import { describe, expect, it } from 'vitest';
import type { CodeCache } from './code-cache.ts';
import { saveWhenIdle } from './save-when-idle.ts';

/** A process whose event loop is busy as told. */
function start(save: () => number = () => 1) {
  let saved = 0;
  let look: (() => void) | undefined;
  const reports: string[] = [];
  const codeCache: CodeCache = {
    file: 'program.cache',
    state: 'absent',
    save: () => {
      saved++;
      return save();
    },
  };
  let busy = 0;
  const saving = saveWhenIdle(codeCache, (text) => reports.push(text), {
    busyShare: () => busy,
    every: (_, call) => {
      look = call;
      return {
        [Symbol.dispose]: () => {
          look = undefined;
        },
      };
    },
  });
  return {
    reports,
    saved: () => saved,
    isWatched: () => look !== undefined,
    look: (share: number) => {
      busy = share;
      look?.();
    },
    stop: () => saving[Symbol.dispose](),
  };
}

describe('saveWhenIdle', () => {
  it('saves once, as soon as the process is idle', () => {
    const program = start();
    program.look(0.5);
    expect(program.saved()).toBe(0);
    program.look(0.001);
    expect([program.saved(), program.isWatched()]).toEqual([1, false]);
    program.stop();
    expect(program.saved()).toBe(1);
  });

  it('saves when a process stops that was never idle, and nothing when it has hardly run', () => {
    const busy = start();
    busy.look(0.9);
    busy.stop();
    const short = start();
    short.stop();
    expect([busy.saved(), busy.isWatched(), short.saved(), short.isWatched()]).toEqual([1, false, 0, false]);
  });

  it('reports a file that cannot be written, and goes on', () => {
    const program = start(() => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    });
    program.look(0);
    expect(program.reports).toEqual(['ashlar: the code cache program.cache cannot be written (ENOSPC)\n']);
  });
});
