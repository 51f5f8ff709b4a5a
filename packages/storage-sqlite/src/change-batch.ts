import type { KeyValueEvent } from '@ashlar/storage';
import type { PackedChanges } from './protocol.ts';

/** One change with what only the file needs to know. Times are milliseconds since 1970. */
export interface Change {
  readonly event: KeyValueEvent;
  readonly time: number;
  readonly deadline: number | undefined;
}

/** A change read from the file. */
export interface StoredChange {
  readonly revision: number;
  readonly key: string;
  /** Undefined for a delete. */
  readonly value: Uint8Array | undefined;
  readonly time: number;
  readonly deadline: number | undefined;
}

/**
 * Per change: revision, bytes of the key, bytes of the value (-1 for a delete), replaced revision, time,
 * deadline (NaN for none).
 */
const NUMBERS = 6;

/**
 * Packs changes into two buffers, so that the transfer to the writer's thread costs one copy of the bytes and
 * no cloning of objects. The caller transfers the buffers.
 */
export function packChanges(changes: readonly Change[]): PackedChanges {
  const numbers = new Float64Array(changes.length * NUMBERS);
  const bytes = allocate(changes);
  let at = 0;
  let row = 0;
  for (const { event, time, deadline } of changes) {
    const value = event.entry?.value;
    const keyLength = bytes.write(event.key, at);
    at += keyLength;
    if (value) bytes.set(value, at);
    at += value?.length ?? 0;
    numbers[row++] = event.revision;
    numbers[row++] = keyLength;
    numbers[row++] = value?.length ?? -1;
    numbers[row++] = event.previous?.revision ?? 0;
    numbers[row++] = time;
    numbers[row++] = deadline ?? Number.NaN;
  }
  return { numbers, bytes };
}

/** Calls back with the changes of a packed batch, each with a value of its own. */
export function unpackChanges({ numbers, bytes }: PackedChanges, call: (change: StoredChange) => void): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (let row = 0; row < numbers.length; row += NUMBERS) {
    const keyEnd = at + (numbers[row + 1] as number);
    const length = numbers[row + 2] as number;
    const end = keyEnd + Math.max(0, length);
    const deadline = numbers[row + 5] as number;
    call({
      revision: numbers[row] as number,
      key: buffer.toString('utf8', at, keyEnd),
      value: length < 0 ? undefined : bytes.slice(keyEnd, end),
      time: numbers[row + 4] as number,
      deadline: Number.isNaN(deadline) ? undefined : deadline,
    });
    at = end;
  }
}

/** A buffer for all of it, which can be transferred; it is not cleared first. */
function allocate(changes: readonly Change[]): Buffer<ArrayBuffer> {
  let size = 0;
  for (const { event } of changes) size += event.key.length * 3 + (event.entry?.value.length ?? 0);
  return Buffer.allocUnsafeSlow(size) as Buffer<ArrayBuffer>;
}
