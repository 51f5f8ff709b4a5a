import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';

/** Editors replace files, and folders may be on disks that report no changes: so they are looked at. */
const INTERVAL_MILLISECONDS = 300;

/** Calls back at once, and whenever a file at one of the paths, or below it, has changed; until the signal is aborted. */
export async function followPaths(
  paths: readonly string[],
  signal: AbortSignal,
  changed: () => void,
): Promise<void> {
  let previous: string | undefined;
  while (!signal.aborted) {
    const now = paths.map(stateOf).join('\n');
    if (now !== previous) changed();
    previous = now;
    await sleep(nodeClock, INTERVAL_MILLISECONDS, signal).catch(() => {});
  }
}

/** Names, times and sizes. */
function stateOf(path: string): string {
  try {
    const { mtimeMs, size } = statSync(path);
    const inside = statSync(path).isDirectory()
      ? readdirSync(path).map((name) => stateOf(join(path, name)))
      : [];
    return [`${path} ${mtimeMs} ${size}`, ...inside].join('\n');
  } catch {
    // removed meanwhile
    return `${path} missing`;
  }
}
