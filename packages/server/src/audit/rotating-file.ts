import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** When a file is put aside, and what is kept of those that were. */
export interface RotationOptions {
  /** Default 100 MiB */
  readonly maximumBytes?: number;
  /** Files that are kept beside the current one; 0 for all. Default 0 */
  readonly maximumBackups?: number;
  /** Days after which they are removed; 0 for never. Default 0 */
  readonly maximumDays?: number;
  /** Milliseconds since 1970. */
  now(): number;
}

const DAY_MILLISECONDS = 86_400_000;
const DEFAULT_BYTES = 100 * 1024 * 1024;

/**
 * A file to which lines are appended. Before it becomes too large it is renamed, with the time in its name, and a new one is begun. Lines
 * are handed to the operating system before `write` returns.
 * @example
 * const file = new RotatingFile('/var/log/audit.log', { maximumBackups: 10, now: Date.now });
 */
export class RotatingFile implements Disposable {
  readonly #path: string;
  readonly #options: RotationOptions;
  #descriptor: number;
  #size = 0;

  /** @throws Error of the file system if it cannot be written */
  constructor(path: string, options: RotationOptions) {
    this.#path = path;
    this.#options = options;
    makeFolder(dirname(path));
    this.#descriptor = this.#open();
  }

  /** @throws Error of the file system */
  write(line: Uint8Array): void {
    const { maximumBytes = DEFAULT_BYTES } = this.#options;
    if (this.#size > 0 && this.#size + line.length > maximumBytes) this.#rotate();
    for (let from = 0; from < line.length; ) from += writeSync(this.#descriptor, line, from);
    this.#size += line.length;
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  /** Only its owner may read it: events name users, and may show secrets. */
  #open(): number {
    const descriptor = openSync(this.#path, 'a', 0o600);
    this.#size = fstatSync(descriptor).size;
    return descriptor;
  }

  #rotate(): void {
    renameSync(this.#path, this.#backupPath());
    closeSync(this.#descriptor);
    this.#descriptor = this.#open();
    this.#removeOld();
  }

  #backupPath(): string {
    const time = new Date(this.#options.now()).toISOString().slice(0, -1).replaceAll(':', '-');
    const [start, end] = this.#nameParts();
    return join(dirname(this.#path), `${start}${time}${end}`);
  }

  /** What stands before and after the time in the name of a file that was put aside. */
  #nameParts(): readonly [string, string] {
    const end = extname(this.#path);
    return [`${basename(this.#path, end)}-`, end];
  }

  /** Removes those that are too many or too old; the time in their names orders them. */
  #removeOld(): void {
    const { maximumBackups = 0, maximumDays = 0, now } = this.#options;
    const backups = this.#backups();
    const oldest = maximumDays === 0 ? Number.NEGATIVE_INFINITY : now() - maximumDays * DAY_MILLISECONDS;
    const kept = maximumBackups === 0 ? backups.length : maximumBackups;
    for (const [index, { path, time }] of backups.entries())
      if (index >= kept || time < oldest) unlinkSync(path);
  }

  /** The newest first. */
  #backups(): readonly { readonly path: string; readonly time: number }[] {
    const folder = dirname(this.#path);
    const [start, end] = this.#nameParts();
    return readdirSync(folder)
      .filter((name) => name.startsWith(start) && name.endsWith(end))
      .map((name) => ({
        path: join(folder, name),
        time: timeOf(name.slice(start.length, name.length - end.length)),
      }))
      .filter(({ time }) => !Number.isNaN(time))
      .sort((a, b) => b.time - a.time);
  }
}

/** Not `recursive` of Node, which never returns where a file system refuses a folder as if its parent were missing, such as `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path);
}

/** The time that a name contains; NaN if it is none. */
function timeOf(text: string): number {
  const match = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text);
  return match ? Date.parse(`${match[1]}${match[2]}:${match[3]}:${match[4]}Z`) : Number.NaN;
}
