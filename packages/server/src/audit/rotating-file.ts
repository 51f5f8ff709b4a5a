import { dirname } from 'node:path';
import type { Steps } from '@ashlar/core';
import { AppendedFile } from './appended-file.ts';
import { BackupFiles, type BackupOptions } from './backup-files.ts';
import { partsOf } from './long-line.ts';
import { makeFolder } from './make-folder.ts';

/** When a file is put aside, and what is kept of those that were. */
export interface RotationOptions extends BackupOptions {
  /** Default 100 MiB */
  readonly maximumBytes?: number;
  /** Told what failed and lost no line: a file that could not be removed, or not be closed. */
  readonly onError?: (error: unknown) => void;
}

const DEFAULT_BYTES = 100 * 1024 * 1024;

/**
 * A file to which lines are appended. Before it becomes too large it is renamed, with the time in its name, and a new one is begun. Lines
 * are handed to the operating system before `write` returns. After a failure the next line opens the file again.
 * @example
 * const file = new RotatingFile('/var/log/audit.log', { maximumBackups: 10, now: Date.now });
 */
export class RotatingFile implements Disposable {
  readonly #path: string;
  readonly #options: RotationOptions;
  readonly #backups: BackupFiles;
  #file: AppendedFile | undefined;
  /** Permissions of the latest file. */
  #mode: number | undefined;

  /** @throws Error of the file system if it cannot be written */
  constructor(path: string, options: RotationOptions) {
    this.#path = path;
    this.#options = options;
    this.#backups = new BackupFiles(path, options);
    makeFolder(dirname(path));
    this.#open();
  }

  /** @throws Error of the file system; nothing of the line is in the file then */
  write(line: Uint8Array): void {
    const file = this.#fileFor(line.length);
    file.append(line);
    file.endLine();
  }

  /**
   * Writes a long line, with pauses, in which nothing else may be written.
   * @param pieces of the line
   * @throws Error of the file system; nothing of the line is in the file then
   */
  *writeSteps(pieces: readonly Uint8Array[]): Steps<void> {
    const file = this.#fileFor(pieces.reduce((sum, { length }) => sum + length, 0));
    for (const part of partsOf(pieces)) {
      if (file !== this.#file) throw new Error('the file has been closed');
      file.append(part);
      yield;
    }
    file.endLine();
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  /** The file in which a line has room. */
  #fileFor(length: number): AppendedFile {
    const { maximumBytes = DEFAULT_BYTES } = this.#options;
    const file = this.#file ?? this.#open();
    return file.size > 0 && file.size + length > maximumBytes ? this.#rotate() : file;
  }

  #open(): AppendedFile {
    const file = new AppendedFile(this.#path, this.#mode);
    this.#file = file;
    return file;
  }

  #rotate(): AppendedFile {
    this.#mode = this.#file?.mode;
    this.#close();
    this.#backups.putAside();
    const file = this.#open();
    this.#try(() => this.#backups.removeOld());
    return file;
  }

  #close(): void {
    const file = this.#file;
    // whatever happens: its number may belong to another file from now on
    this.#file = undefined;
    this.#try(() => file?.close());
  }

  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}
