import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { crc32 } from 'node:zlib';

/** Checksums of the code and of the source that it was compiled from; V8 itself compares neither. */
const HEADER_BYTES = 8;

/** Permission of others to write, in a mode. */
const WRITABLE_BY_ALL = 0o002;

/** A code cache beside a source file, for this version of Node, with the flags that are set now, on this processor. */
export class CodeCacheFile {
  readonly path: string;
  readonly #sourceChecksum: number;

  constructor(sourcePath: string, source: Uint8Array) {
    const { version, arch } = process;
    this.path = `${sourcePath}.${version}-${arch}-${cachedDataVersionTag()}.cache`;
    this.#sourceChecksum = crc32(source);
  }

  /** Returns the compiled code, `'absent'` where there is no file, `'rejected'` for one that is damaged or of another source. */
  read(): Buffer | 'absent' | 'rejected' {
    const bytes = this.#bytes();
    if (typeof bytes === 'string') return bytes;
    if (bytes.length <= HEADER_BYTES) return 'rejected';
    const code = bytes.subarray(HEADER_BYTES);
    const isRight = bytes.readUInt32LE(0) === crc32(code) && bytes.readUInt32LE(4) === this.#sourceChecksum;
    return isRight ? code : 'rejected';
  }

  /** Replaces the file at once: processes that start meanwhile read the old one, or the new. @throws Error of the file system */
  write(code: Uint8Array): void {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(crc32(code), 0);
    header.writeUInt32LE(this.#sourceChecksum, 4);
    const temporary = `${this.path}.${process.pid}`;
    try {
      writeFileSync(temporary, Buffer.concat([header, code]), { mode: 0o644, flag: 'wx' });
      renameSync(temporary, this.path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** Compiled code is run as it is: what everybody may write is not read. */
  #bytes(): Buffer | 'absent' | 'rejected' {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(this.path, 'r');
      return isWritableByAll(fstatSync(descriptor).mode) ? 'rejected' : readFileSync(descriptor);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'rejected';
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }
}

/** Whether everybody may write to the folder of a file. */
export function isInSharedFolder(path: string): boolean {
  return isWritableByAll(statSync(dirname(path)).mode);
}

/** Windows has no such modes. */
function isWritableByAll(mode: number): boolean {
  return process.platform !== 'win32' && (mode & WRITABLE_BY_ALL) !== 0;
}
