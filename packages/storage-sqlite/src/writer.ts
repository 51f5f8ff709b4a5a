import type { Worker } from 'node:worker_threads';
import { type Change, packChanges, type StoredChange, unpackChanges } from './change-batch.ts';
import type { FileUpgrade, FromWorker, ToWorker, WorkerOptions } from './protocol.ts';
import { SqliteStoreError, WRITER_ENDED } from './sqlite-store-error.ts';

/** The owner of a writer, which is notified of results. */
export interface WriterOwner {
  /** This many of the submitted changes, the oldest first, are durable now. */
  committed(count: number): void;
  /** Nothing else that was submitted so far is durable, or will be. */
  failed(error: SqliteStoreError): void;
  /** A problem of the file has been repaired. */
  restored(error: SqliteStoreError): void;
  /** Revision up to which the log may be trimmed. */
  trimTo(): number;
}

interface Pending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Maximum number of changes of a message, which are one transaction, and from what size on it has no more: packing copies them at once. */
const MOST_CHANGES = 4096;
const FULL_BYTES = 8 << 20;

/**
 * The thread that owns the file. All methods return immediately. Changes are sent when the ones before them are
 * durable: the busier the process is, the more of them share a transaction, and its sync.
 */
export class Writer {
  readonly #file: string;
  readonly #worker: Worker;
  /** Number of changes that were sent and not acknowledged. */
  #writing: number = 0;
  /** Changes that are sent when those are durable. */
  #gathered: Change[] = [];
  #owner: WriterOwner | undefined;
  #loaded: (change: StoredChange) => void = () => {};
  #upgraded: (upgrade: FileUpgrade) => void = () => {};
  #opening: Pending<number> | undefined;
  /** Why the file could not be opened; reported when the thread has released it. */
  #refusal: SqliteStoreError | undefined;
  #compactions: Pending<void>[] = [];
  #checks: Pending<void>[] = [];
  #closed: (() => void) | undefined;
  #ended: boolean = false;

  constructor(options: WorkerOptions, worker: Worker) {
    this.#file = options.file;
    this.#worker = worker;
    worker.postMessage(options);
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#die(error.message));
    this.#worker.on('exit', () => this.#die('its writer has ended'));
  }

  /**
   * Returns all rows in the order of revisions, then resolves with the revision up to which the log has been
   * trimmed.
   */
  open(
    loaded: (change: StoredChange) => void,
    upgraded: (upgrade: FileUpgrade) => void = () => {},
  ): Promise<number> {
    this.#loaded = loaded;
    this.#upgraded = upgraded;
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
    });
  }

  /** From now on the owner writes. */
  attach(owner: WriterOwner): void {
    this.#owner = owner;
  }

  /** Submits a change; those of one turn of the event loop are sent together. */
  write(change: Change): void {
    if (this.#gathered.push(change) === 1 && this.#writing === 0) setImmediate(() => this.#send());
  }

  /** Resolves when nothing before that revision is on file any more. */
  compact(revision: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#compactions.push({ resolve, reject });
      this.#post({ kind: 'compact', revision });
    });
  }

  /** Resolves if the next write can be made. @throws SqliteStoreError if it cannot */
  check(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#checks.push({ resolve, reject });
      this.#post({ kind: 'check' });
    });
  }

  /** Writes all submitted changes, and ends the thread: the file is released with its last statement. */
  async close(): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      this.#send();
      this.#endIfWritten();
    });
  }

  #send(): void {
    if (this.#writing > 0 || this.#gathered.length === 0) return;
    const changes = this.#gathered;
    this.#gathered = changes.splice(countOfMessage(changes));
    this.#writing = changes.length;
    const packed = packChanges(changes);
    const message = { kind: 'write', trimTo: this.#owner?.trimTo() ?? 0, ...packed } as const;
    this.#post(message, [packed.numbers.buffer, packed.bytes.buffer]);
  }

  #endIfWritten(): void {
    if (this.#closed && this.#writing === 0) this.#post({ kind: 'close' });
  }

  #post(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.ref();
    this.#worker.postMessage(message, transfer);
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'rows':
        unpackChanges(message, this.#loaded);
        return;
      case 'upgraded': {
        const { from, to, copy } = message;
        this.#upgraded({ from, to, copy });
        return;
      }
      case 'loaded':
        this.#opening?.resolve(message.trimmed);
        this.#opening = undefined;
        break;
      case 'refused':
        this.#refusal = new SqliteStoreError(this.#file, message);
        break;
      case 'committed':
        this.#commit();
        break;
      case 'failed':
        this.#fail(new SqliteStoreError(this.#file, message));
        this.#endIfWritten();
        break;
      case 'compacted':
        this.#compactions.shift()?.resolve();
        break;
      case 'not-compacted':
        this.#compactions.shift()?.reject(new SqliteStoreError(this.#file, message));
        break;
      case 'sound':
        this.#checks.shift()?.resolve();
        break;
      case 'unsound':
        this.#checks.shift()?.reject(new SqliteStoreError(this.#file, message));
        break;
      case 'restored':
        this.#owner?.restored(new SqliteStoreError(this.#file, message));
    }
    this.#rest();
  }

  /** The thread writes the next changes while the owner notifies of these. */
  #commit(): void {
    const count = this.#writing;
    this.#writing = 0;
    this.#send();
    this.#owner?.committed(count);
    this.#endIfWritten();
  }

  #fail(error: SqliteStoreError): void {
    this.#writing = 0;
    this.#gathered = [];
    this.#owner?.failed(error);
  }

  /** The thread has ended, on request or by itself. */
  #die(message: string): void {
    this.#ended = true;
    const error = this.#refusal ?? new SqliteStoreError(this.#file, { code: WRITER_ENDED, message });
    this.#opening?.reject(error);
    for (const pending of [...this.#compactions.splice(0), ...this.#checks.splice(0)]) pending.reject(error);
    if (!this.#closed || this.#writing > 0) this.#fail(error);
    this.#closed?.();
  }

  /** An idle thread does not keep the process alive. */
  #rest(): void {
    const pendingCount = this.#writing + this.#compactions.length + this.#checks.length;
    if (pendingCount === 0 && !this.#closed && !this.#opening) this.#worker.unref();
  }
}

/** How many of the oldest changes the next message has: one at least. */
function countOfMessage(changes: readonly Change[]): number {
  let count = 0;
  for (let bytes = 0; count < Math.min(changes.length, MOST_CHANGES) && bytes < FULL_BYTES; count++)
    bytes += changes[count]?.event.entry?.value.length ?? 0;
  return count;
}
