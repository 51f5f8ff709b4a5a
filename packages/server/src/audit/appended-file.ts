import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

const LINE_FEED = 10;

/**
 * An open file to which lines are appended. A line that is not written completely is taken back, or ended, before the next one.
 * @example
 * const file = new AppendedFile('/var/log/audit.log');
 */
export class AppendedFile {
  /** Permissions. */
  readonly mode: number;
  readonly #descriptor: number;
  readonly #isRegular: boolean;
  /** Of complete lines. */
  #size: number;
  /** Bytes after them. */
  #rest = 0;
  /** Whether the last line has no end. */
  #isCut: boolean;

  /**
   * @param mode of the file that it replaces; without one, only the owner may read a new file
   * @throws Error of the file system
   */
  constructor(path: string, mode?: number) {
    // events name users, and may show secrets
    this.#descriptor = openSync(path, 'a', mode ?? 0o600);
    const stats = fstatSync(this.#descriptor);
    // the umask may have taken something away
    if (mode !== undefined && stats.size === 0) fchmodSync(this.#descriptor, mode);
    this.mode = mode ?? stats.mode & 0o777;
    this.#isRegular = stats.isFile();
    this.#size = this.#isRegular ? stats.size : 0;
    this.#isCut = this.#isRegular && stats.size > 0 && !endsLine(path, stats.size);
  }

  /** Bytes that a file on disk has; 0 for a device or a pipe, which has no limit. */
  get size(): number {
    return this.#isRegular ? this.#size : 0;
  }

  /** Appends a part of a line. @throws Error of the file system; then the line must be begun again */
  append(part: Uint8Array): void {
    try {
      if (this.#isCut) this.#endCutLine();
      this.#write(part);
    } catch (error) {
      this.takeBack();
      throw error;
    }
  }

  /** Notes that a line is complete. */
  endLine(): void {
    this.#size += this.#rest;
    this.#rest = 0;
  }

  /** Takes back what was written of an incomplete line. */
  takeBack(): void {
    if (this.#rest === 0) return;
    try {
      ftruncateSync(this.#descriptor, this.#size);
    } catch {
      // it stays, and the next line does not continue it
      this.#size += this.#rest;
      this.#isCut = true;
    }
    this.#rest = 0;
  }

  /** @throws Error of the file system; the file is closed all the same */
  close(): void {
    this.takeBack();
    closeSync(this.#descriptor);
  }

  #endCutLine(): void {
    this.#write(Uint8Array.of(LINE_FEED));
    this.endLine();
    this.#isCut = false;
  }

  #write(part: Uint8Array): void {
    for (let from = 0; from < part.length; ) {
      const written = writeSync(this.#descriptor, part, from);
      from += written;
      this.#rest += written;
    }
  }
}

/** One that cannot be read is taken to be complete. */
function endsLine(path: string, size: number): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const last = new Uint8Array(1);
    return readSync(descriptor, last, 0, 1, size - 1) === 0 || last[0] === LINE_FEED;
  } catch {
    return true;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
