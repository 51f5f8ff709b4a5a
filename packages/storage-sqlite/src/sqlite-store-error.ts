import { StoreFaultError } from '@ashlar/storage';
import type { WorkerFailure } from './protocol.ts';

/** Why the file cannot be opened, or written. */
export type SqliteStoreFault =
  /** Another process, or another store of this one, has the file open. */
  | 'locked'
  /** The file cannot be opened: a missing directory, a missing permission. */
  | 'unreadable'
  /** The file is not an SQLite database. */
  | 'not-a-database'
  /** The file is an SQLite database of another application. */
  | 'foreign'
  /** The file was written by a newer release. */
  | 'newer-format'
  | 'corrupt'
  /** The file has been removed or replaced: writes would be lost at the next start. */
  | 'moved'
  /** Its write-ahead log had been removed; nothing is lost. */
  | 'log-removed'
  /** The disk is full, or `maxFileBytes` is reached. Later writes may succeed. */
  | 'full'
  /** Anything else; the message is SQLite's. */
  | 'failed';

/** The code of a failure after the writer's thread has ended. */
export const WRITER_ENDED: string = 'ENDED';

/** Faults after which the content of the file is unknown; any other may pass, and writes are tried again. */
const LASTING: ReadonlySet<SqliteStoreFault> = new Set([
  'corrupt',
  'not-a-database',
  'foreign',
  'newer-format',
]);

/** A file that cannot be opened or written: one sentence for the operator of the server. */
export class SqliteStoreError extends StoreFaultError {
  static override readonly code: string = 'ERR_SQLITE_STORE';
  override readonly name: string = 'SqliteStoreError';
  readonly fault: SqliteStoreFault;
  readonly file: string;

  constructor(file: string, { code, message }: WorkerFailure) {
    const fault = faultOf(code);
    const sentence = sentenceOf(fault, message);
    const isLasting = LASTING.has(fault) || code === WRITER_ENDED;
    super(`the store ${file} ${sentence}`, { summary: `the storage ${sentence}`, isLasting });
    this.fault = fault;
    this.file = file;
  }
}

const FAULTS: readonly (readonly [prefix: string, fault: SqliteStoreFault])[] = [
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['CANTOPEN', 'unreadable'],
  ['SQLITE_CANTOPEN', 'unreadable'],
  ['SQLITE_PERM', 'unreadable'],
  ['SQLITE_READONLY', 'unreadable'],
  ['SQLITE_NOTADB', 'not-a-database'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_FULL', 'full'],
  ['FOREIGN', 'foreign'],
  ['FORMAT', 'newer-format'],
  ['REMOVED', 'moved'],
  ['REPLACED', 'moved'],
  ['LOG', 'log-removed'],
  ['GAP', 'corrupt'],
];

const faultOf = (code: string): SqliteStoreFault =>
  FAULTS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'failed';

function sentenceOf(fault: SqliteStoreFault, message: string): string {
  switch (fault) {
    case 'locked':
      return 'is in use by another process, or by another store of this process';
    case 'unreadable':
      return `cannot be opened or written: ${message}`;
    case 'not-a-database':
      return 'is not an SQLite database';
    case 'foreign':
      return 'is a database of another application';
    case 'newer-format':
      return `was written by a newer version: ${message}`;
    case 'corrupt':
      return `is damaged: ${message}`;
    case 'full':
      return 'cannot be written: the disk, or the size it may grow to, is full';
    case 'moved':
      return `takes no writes: ${message}, and what is written would be gone at the next start`;
    case 'log-removed':
      return `had lost its write-ahead log: ${message}`;
    case 'failed':
      return `has failed: ${message}`;
  }
}
