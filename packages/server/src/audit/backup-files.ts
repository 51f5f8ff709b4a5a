import { existsSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isMissing } from './make-folder.ts';

/** What is kept of the files that were put aside. */
export interface BackupOptions {
  /** Files that are kept beside the current one; 0 for all. Default 0 */
  readonly maximumBackups?: number;
  /** Days after which they are removed; 0 for never. Default 0 */
  readonly maximumDays?: number;
  /** Milliseconds since 1970. */
  now(): number;
}

const DAY_MILLISECONDS = 86_400_000;

interface Backup {
  readonly path: string;
  readonly time: number;
}

/** The files that were put aside: they stand beside the current one, with the time in their names. */
export class BackupFiles {
  readonly #path: string;
  readonly #options: BackupOptions;
  #latest = Number.NEGATIVE_INFINITY;

  /** @param path of the current file */
  constructor(path: string, options: BackupOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Renames the current file, if it is still there. @throws Error of the file system */
  putAside(): void {
    try {
      renameSync(this.#path, this.#freePath());
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Removes those that are too many or too old. @throws Error of the file system, once all others are removed */
  removeOld(): void {
    const failures: unknown[] = [];
    for (const { path } of this.#superfluous())
      try {
        unlinkSync(path);
      } catch (error) {
        if (!isMissing(error)) failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  }

  /** One that no file has: several may be put aside in the same millisecond. */
  #freePath(): string {
    let time = Math.max(this.#options.now(), this.#latest + 1);
    while (existsSync(this.#pathOf(time))) time++;
    this.#latest = time;
    return this.#pathOf(time);
  }

  #pathOf(time: number): string {
    const text = new Date(time).toISOString().slice(0, -1).replaceAll(':', '-');
    const [start, end] = this.#nameParts();
    return join(dirname(this.#path), `${start}${text}${end}`);
  }

  /** What stands before and after the time in their names. */
  #nameParts(): readonly [string, string] {
    const end = extname(this.#path);
    return [`${basename(this.#path, end)}-`, end];
  }

  #superfluous(): readonly Backup[] {
    const { maximumBackups = 0, maximumDays = 0, now } = this.#options;
    if (maximumBackups === 0 && maximumDays === 0) return [];
    const backups = this.#all();
    const kept = maximumBackups === 0 ? backups.length : maximumBackups;
    const oldest = maximumDays === 0 ? Number.NEGATIVE_INFINITY : now() - maximumDays * DAY_MILLISECONDS;
    return backups.filter(({ time }, index) => index >= kept || time < oldest);
  }

  /** The newest first. */
  #all(): readonly Backup[] {
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

/** The time that a name contains; NaN if it is none. */
function timeOf(text: string): number {
  const match = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text);
  return match ? Date.parse(`${match[1]}${match[2]}:${match[3]}:${match[4]}Z`) : Number.NaN;
}
