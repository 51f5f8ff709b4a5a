import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import type { CodeCache } from './code-cache.ts';
import { CodeCacheFile, isInSharedFolder } from './code-cache-file.ts';

/** A program that has been loaded. */
export interface LoadedProgram<T> {
  readonly exports: T;
  /** Absent where there is none, nor can be: in a folder that is read-only, or that everybody may write to. */
  readonly codeCache?: CodeCache;
}

/** What a bundle is: an expression of this function. */
type Wrapper = (
  exports: unknown,
  require: NodeJS.Require,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

/**
 * Loads a bundle: one file of ASCII, in the format of CommonJS with the wrapper of its functions around. Its code comes from the code cache
 * beside it where that fits.
 * @throws Error of the file system, or of the bundle
 */
export function loadProgram<T>(path: string): LoadedProgram<T> {
  const source = readFileSync(path);
  const file = isInSharedFolder(path) ? undefined : new CodeCacheFile(path, source);
  const cached = file?.read() ?? 'absent';
  const cachedData = typeof cached === 'string' ? undefined : cached;
  const script = new Script(source.toString('latin1'), { filename: path, ...(cachedData && { cachedData }) });
  const module: { exports: unknown } = { exports: {} };
  const wrapper: Wrapper = script.runInThisContext();
  wrapper(module.exports, createRequire(path), module, path, dirname(path));
  const state = stateOf(cached, script.cachedDataRejected);
  const exports = module.exports as T;
  if (!file || (state !== 'accepted' && !isWritable(dirname(path)))) return { exports };
  return { exports, codeCache: { file: file.path, state, save: () => save(script, file) } };
}

function stateOf(cached: Buffer | 'absent' | 'rejected', isRejected?: boolean): CodeCache['state'] {
  if (typeof cached === 'string') return cached;
  return isRejected ? 'rejected' : 'accepted';
}

function save(script: Script, file: CodeCacheFile): number {
  const code = script.createCachedData();
  file.write(code);
  return code.length;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
