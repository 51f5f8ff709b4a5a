// @ts-check
// Used by the writer's thread, hence plain JavaScript: see worker.mjs.
import { statSync } from 'node:fs';

/**
 * Identifies the file of a path, by a text that no other file has while this one is open; undefined if there
 * is none.
 * @param {string} path
 * @returns {string | undefined}
 */
export function identityOf(path) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** @type {Readonly<Record<string, string>>} */
const SENTENCES = {
  ENOENT: 'its directory is not there',
  ENOTDIR: 'its directory is not there',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a directory',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left on the disk',
};

/**
 * Why a file could not be created, without its path.
 * @param {unknown} error
 * @returns {string}
 */
export function sentenceOfSystemError(error) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
  return SENTENCES[code] ?? (code || message);
}
