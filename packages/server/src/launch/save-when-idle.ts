import { performance } from 'node:perf_hooks';
import type { CodeCache } from './code-cache.ts';

/** Between two looks at whether the process is idle, and before the first. */
const LOOK_MILLISECONDS = 5_000;

/** Share of the time between two looks in which an idle process runs at most. */
const IDLE_SHARE = 0.02;

/** What saving asks of the process. */
export interface Idleness {
  /** The share of the time since the last call in which the event loop was busy. */
  busyShare(): number;
  /** Calls repeatedly, without keeping the process alive. */
  every(milliseconds: number, call: () => void): Disposable;
}

/**
 * Saves the code of a process that was started without a code cache that fits: once, when nothing waits for the process, at the latest
 * when it stops. One that stops before it was ever looked at saves nothing: it has hardly run.
 * @param report told about a file that could not be written
 */
export function saveWhenIdle(
  codeCache: CodeCache,
  report: (text: string) => void,
  idleness: Idleness = idlenessOfNode(),
): Disposable {
  let isDue = false;
  const saveOnce = (): void => {
    if (isDue) save(codeCache, report);
    isDue = false;
    looks[Symbol.dispose]();
  };
  const looks = idleness.every(LOOK_MILLISECONDS, () => {
    isDue = true;
    if (idleness.busyShare() < IDLE_SHARE) saveOnce();
  });
  return { [Symbol.dispose]: saveOnce };
}

function save(codeCache: CodeCache, report: (text: string) => void): void {
  try {
    codeCache.save();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    report(`ashlar: the code cache ${codeCache.file} cannot be written (${code ?? error})\n`);
  }
}

function idlenessOfNode(): Idleness {
  let last = performance.eventLoopUtilization();
  return {
    busyShare() {
      const { utilization } = performance.eventLoopUtilization(last);
      last = performance.eventLoopUtilization();
      return utilization;
    },
    every(milliseconds, call) {
      const timer = setInterval(call, milliseconds).unref();
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
  };
}
