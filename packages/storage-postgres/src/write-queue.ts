import { setImmediate as turn } from 'node:timers/promises';
import type { Entry, KeyValueEvent, WriteResult } from '@ashlar/storage';
import { toEntry, toRevision } from './rows.ts';

/** Limits of one call of the database. */
const MAXIMUM_WRITES = 256;
const MAXIMUM_BYTES = 4 * 1024 * 1024;

/** One write: a value, or a deletion. */
export interface QueuedWrite {
  readonly key: string;
  readonly value: Uint8Array | undefined;
  readonly ifRevision: number | undefined;
  readonly leaseSeconds: number | undefined;
}

interface Waiting extends QueuedWrite {
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A row that the statement `write` returns for each write, with what was stored before it. */
export type WrittenRow = readonly [
  written: boolean,
  revision: string,
  storedRevision: string | null,
  storedValue: Buffer | null,
];

/** Parameters of the statement `write`. */
export type WriteParameters = [
  keys: string[],
  contents: Buffer,
  lengths: number[],
  conditions: (number | null)[],
  seconds: (number | null)[],
];

/** What a queue needs. */
export interface WriteQueueOptions {
  readonly send: (parameters: WriteParameters) => Promise<readonly WrittenRow[]>;
  /** A call has made these changes, whose revisions follow each other. Called after its writers have continued. */
  readonly changed: (events: readonly KeyValueEvent[]) => void;
  /** A call has failed, after which its changes may have been made. */
  readonly failed: () => void;
}

/**
 * Sends writes to the database, one call at a time: those that arrive meanwhile are the next call, and one commit. They get their revisions
 * in the order of their arrival.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: Waiting[] = [];
  #sending = false;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  write(write: QueuedWrite): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject });
      if (!this.#sending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    // writes of one turn are one call, whichever connections they came from
    await turn();
    while (this.#waiting.length > 0) await this.#sendSome(this.#waiting.splice(0, this.#count()));
    this.#sending = false;
  }

  #count(): number {
    let bytes = 0;
    let count = 0;
    for (const { value } of this.#waiting) {
      bytes += value?.length ?? 0;
      if (count === MAXIMUM_WRITES || (count > 0 && bytes > MAXIMUM_BYTES)) break;
      count++;
    }
    return count;
  }

  /** What an observer fails at is read again. */
  #emit(events: readonly KeyValueEvent[]): void {
    try {
      this.#options.changed(events);
    } catch {
      this.#options.failed();
    }
  }

  async #sendSome(writes: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.#options.send(parametersOf(writes));
      const results = writes.map((write, index) => resultOf(write, rows[index] as WrittenRow));
      for (const [index, { resolve }] of writes.entries()) resolve(results[index] as WriteResult);
      const events = writes.flatMap((write, index) => eventOf(write, results[index] as WriteResult));
      if (events.length > 0) setImmediate(() => this.#emit(events));
    } catch (error) {
      for (const { reject } of writes) reject(error);
      this.#options.failed();
    }
  }
}

function parametersOf(writes: readonly QueuedWrite[]): WriteParameters {
  return [
    writes.map(({ key }) => key),
    Buffer.concat(writes.flatMap(({ value }) => value ?? [])),
    writes.map(({ value }) => value?.length ?? -1),
    writes.map(({ ifRevision }) => ifRevision ?? null),
    writes.map(({ leaseSeconds }) => leaseSeconds ?? null),
  ];
}

function resultOf(
  { key, value }: QueuedWrite,
  [written, at, storedRevision, stored]: WrittenRow,
): WriteResult {
  const revision = toRevision(at);
  const before =
    storedRevision !== null && stored !== null ? toEntry(key, storedRevision, stored) : undefined;
  if (!written) return { ok: false, revision, ...(before && { current: before }) };
  const entry: Entry | undefined = value && { key, value, revision, memo: undefined };
  return { ok: true, revision, ...(entry && { entry }), ...(before && { previous: before }) };
}

function eventOf({ key }: QueuedWrite, result: WriteResult): KeyValueEvent | [] {
  if (!result.ok) return [];
  const { revision, entry, previous } = result;
  const before = previous && { previous };
  if (!entry) return { type: 'delete', key, revision, ...before, memo: undefined };
  return { type: 'put', key, revision, entry, ...before, memo: undefined };
}
