import { unwatchFile, watchFile } from 'node:fs';

const INTERVAL_MILLISECONDS = 10_000;

/** Calls back when one of some files changes, which is looked for every ten seconds; does not keep the process running. */
export function watchFiles(files: readonly string[], changed: () => void): Disposable {
  for (const file of files) watchFile(file, { interval: INTERVAL_MILLISECONDS, persistent: false }, changed);
  return {
    [Symbol.dispose]() {
      for (const file of files) unwatchFile(file, changed);
    },
  };
}
