import type { WriteResult } from '@ashlar/storage';
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

/** A row that the statement `write` returns for each write. */
export type WrittenRow = readonly [
  written: boolean,
  revision: string,
  currentRevision: string | null,
  currentValue: Buffer | null,
];

/** Parameters of the statement `write`. */
export type WriteParameters = [
  keys: string[],
  contents: Buffer,
  lengths: number[],
  conditions: (number | null)[],
  seconds: (number | null)[],
];

/**
 * Sends writes to the database, one call at a time: those that arrive meanwhile are the next call, and one commit. They get their revisions
 * in the order of their arrival.
 */
export class WriteQueue {
  readonly #send: (parameters: WriteParameters) => Promise<readonly WrittenRow[]>;
  #waiting: Waiting[] = [];
  #sending = false;

  constructor(send: (parameters: WriteParameters) => Promise<readonly WrittenRow[]>) {
    this.#send = send;
  }

  write(write: QueuedWrite): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject });
      if (!this.#sending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    // writes of one turn are one call
    await Promise.resolve();
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

  async #sendSome(writes: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.#send(parametersOf(writes));
      for (const [index, write] of writes.entries())
        write.resolve(resultOf(write, rows[index] as WrittenRow));
    } catch (error) {
      for (const { reject } of writes) reject(error);
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
  [written, at, current, currentValue]: WrittenRow,
): WriteResult {
  const revision = toRevision(at);
  if (written)
    return { ok: true, revision, ...(value && { entry: { key, value, revision, memo: undefined } }) };
  if (current === null || currentValue === null) return { ok: false, revision };
  return { ok: false, revision, current: toEntry(key, current, currentValue) };
}
