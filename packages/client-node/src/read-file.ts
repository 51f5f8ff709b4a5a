import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Resolves a path of a configuration relative to its file. */
export const resolvePath = (path: string, origin: string | undefined): string =>
  origin === undefined ? resolve(path) : resolve(dirname(origin), path);

/** The text of a file that a configuration names. @throws Error that names it */
export function readFile(path: string, origin: string | undefined): string {
  return new TextDecoder().decode(readBytes(resolvePath(path, origin)));
}

/** @throws Error that names the file, with the system's error code as `code` */
export function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${file} cannot be read (${code})`), { code });
  }
}
