import { readFileSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

/** The text of a file that a flag names. @throws UsageError that names the flag */
export function readTextFile(flag: string, path: string): string {
  try {
    return readFile(path);
  } catch (error) {
    throw new UsageError(`flag --${flag}: ${(error as Error).message}`);
  }
}

/** The text of a file. @throws UsageError that names the file */
export function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read (${code ?? error})`);
  }
}
