import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Not `recursive` of Node, which never returns where a file system refuses a folder as if its parent were missing, such as `/proc`. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path);
}

/** Whether an error of the file system says that there is no such file. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
