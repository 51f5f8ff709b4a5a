import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../usage-error.ts';

/** A file of manifests, or why it cannot be read. */
export interface ManifestFile {
  readonly path: string;
  readonly text?: string;
  readonly error?: string;
}

const MANIFEST = /^Kustomization$|\.(?:ya?ml|json|tpl)$/;
/** Larger files are no manifests. */
const MAXIMUM_BYTES = 256 * 1024 * 1024;
const STANDARD_INPUT = '-';

/**
 * Reads files, the manifests of folders at any depth, and standard input (`-`).
 * @throws UsageError for a path that does not exist
 */
export function* readManifestFiles(paths: readonly string[]): Iterable<ManifestFile> {
  for (const path of paths) {
    if (path === STANDARD_INPUT) yield readOne(path, 0);
    else if (!statSync(path, { throwIfNoEntry: false })) throw new UsageError(`${path} does not exist`);
    else for (const file of filesOf(path)) yield readOne(file, file);
  }
}

function* filesOf(path: string): Iterable<string> {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === '.git' || entry.name === 'node_modules') continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory()) yield* filesOf(inside);
    else if (entry.isFile() && MANIFEST.test(entry.name)) yield inside;
  }
}

function readOne(path: string, from: string | number): ManifestFile {
  try {
    if (typeof from === 'string' && statSync(from).size > MAXIMUM_BYTES)
      return { path, error: `is larger than ${MAXIMUM_BYTES} bytes` };
    return decoded(path, readFileSync(from));
  } catch (error) {
    return { path, error: `cannot be read: ${(error as Error).message}` };
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(path: string, bytes: Uint8Array): ManifestFile {
  try {
    return { path, text: decoder.decode(bytes) };
  } catch {
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return { path, error: isWide ? 'is encoded as UTF-16 and not as UTF-8' : 'is not encoded as UTF-8' };
  }
}

/** Writes a file so that at any time it has either the old or the new text, with the mode that it had. */
export function writeManifestFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const mode = lstatSync(path).isSymbolicLink() ? statSync(path).mode : lstatSync(path).mode;
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
