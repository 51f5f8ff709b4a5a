import { statSync } from 'node:fs';

const INTERVAL_MILLISECONDS = 10_000;

/**
 * Calls back when one of some files changes, which is looked for every ten seconds by default; does not keep the process running.
 * Calls back after the first interval in any case, since a file may have changed between its reading and the first look: what is
 * called compares.
 */
export function watchFiles(
  files: readonly string[],
  changed: () => void,
  interval: number = INTERVAL_MILLISECONDS,
): Disposable {
  let seen: string | undefined;
  const timer = setInterval(() => {
    const state = files.map(stateOf).join();
    if (state === seen) return;
    seen = state;
    changed();
  }, interval);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** What differs once a file is written, replaced or removed, even twice within a millisecond. */
function stateOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(':');
  } catch {
    return 'none';
  }
}
