import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from './environment.ts';
import { resolvePath } from './read-file.ts';

/**
 * Resolves the program of a command: a path is relative to its configuration file, a bare name is looked up
 * in the folders of `PATH`.
 * Relative folders are ignored: files in the working folder must not decide which program runs.
 */
export function findCommand(
  command: string,
  origin: string | undefined,
  environment: Environment,
): string | undefined {
  if (basename(command) !== command) return resolvePath(command, origin);
  const folders = environment.PATH?.split(delimiter).filter((folder) => isAbsolute(folder)) ?? [];
  // present only on Windows
  const endings = ['', ...(environment.PATHEXT?.split(delimiter) ?? [])];
  return folders
    .flatMap((folder) => endings.map((ending) => join(folder, command + ending)))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
