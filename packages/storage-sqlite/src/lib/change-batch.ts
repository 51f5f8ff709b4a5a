import type { KeyValueEvent } from '@ashlar/storage';
import type { PackedChanges } from './protocol.ts';

/** One change with what only the file needs to know of it. Times are milliseconds since 1970. */
export interface Change {
  readonly event: KeyValueEvent;
  readonly time: number;
  readonly deadline: number | undefined;
}

/** A change as it was read back from the file. */
export interface StoredChange {
  readonly revision: number;
  readonly key: string;
  /** Undefined for a delete. */
  readonly value: Uint8Array | undefined;
  readonly time: number;
  readonly deadline: number | undefined;
}

/** Per change: revision, bytes of the key, bytes of the value (-1 for a delete), revision replaced, time, deadline (NaN for none). */
const NUMBERS = 6;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Packs changes into two buffers, so that the way to the writer's thread costs one copy of the bytes and no cloning of
 * objects. The caller hands the buffers over.
 */
export function packChanges(changes: readonly Change[]): PackedChanges {
  const numbers = new Float64Array(changes.length * NUMBERS);
  const bytes = allocate(changes);
  let at = 0;
  for (let i = 0; i < changes.length; i++) {
    const { event, time, deadline } = changes[i] as Change;
    const value = event.entry?.value;
    const keyLength = encoder.encodeInto(event.key, bytes.subarray(at)).written;
    at += keyLength;
    if (value) bytes.set(value, at);
    at += value?.length ?? 0;
    const replaces = event.previous?.revision ?? 0;
    const row = [event.revision, keyLength, value?.length ?? -1, replaces, time, deadline ?? Number.NaN];
    numbers.set(row, i * NUMBERS);
  }
  return { numbers, bytes };
}

/** The changes of a packed batch, each with a value of its own. */
export function* unpackChanges({ numbers, bytes }: PackedChanges): Generator<StoredChange> {
  let at = 0;
  for (let i = 0; i < numbers.length; i += NUMBERS) {
    const [revision = 0, keyLength = 0, length = 0, , time = 0, deadline = 0] = numbers.subarray(
      i,
      i + NUMBERS,
    );
    const key = decoder.decode(bytes.subarray(at, at + keyLength));
    at += keyLength;
    const value = length < 0 ? undefined : bytes.slice(at, at + length);
    at += Math.max(0, length);
    yield { revision, key, value, time, deadline: Number.isNaN(deadline) ? undefined : deadline };
  }
}

/** Room enough for all of it, in a buffer of its own that can be handed over; it is not cleared first. */
function allocate(changes: readonly Change[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const { event } of changes) size += event.key.length * 3 + (event.entry?.value.length ?? 0);
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer as ArrayBuffer, 0, size);
}
