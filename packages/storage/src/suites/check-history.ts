import type { KeyValueEvent } from '../contracts/key-value-store.ts';

/** One operation of a concurrent run. `start` and `end` are times on one counter that all operations share. */
export interface Operation {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** The required revision; 0: absence; undefined: none, or a read. */
  readonly ifRevision?: number;
  /** What a successful write stored: its value's text, undefined for a delete. Reads and rejections have none. */
  readonly write?: { readonly revision: number; readonly text: string | undefined };
  /** What a read or a rejection returned: the revision of the current value, 0 if there was none. */
  readonly seen?: number;
}

/**
 * Checks a history of a store whose keys are linearizable compare-and-swap registers under one revision
 * counter: returns one sentence for each violation, none if the run is valid. `events` is what a watch over
 * all keys has received from before the run to its end.
 *
 * The order of writes is that of their revisions. That order must agree with real time, every condition must
 * have held at its place in it, every read must return a value that was current at some time of the read, and
 * the watch must have delivered exactly that order.
 */
export function checkHistory(
  operations: readonly Operation[],
  events: readonly Pick<KeyValueEvent, 'key' | 'revision' | 'type'>[],
): string[] {
  const writes = operations
    .filter((operation) => operation.write !== undefined)
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  return [
    ...uniqueRevisions(writes),
    ...realTimeOrder(writes),
    ...conditions(writes),
    ...reads(operations, writes),
    ...watchOrder(writes, events),
  ];
}

const revisionOf = (operation: Operation): number => operation.write?.revision ?? 0;

function uniqueRevisions(writes: readonly Operation[]): string[] {
  return writes
    .filter((write, i) => i > 0 && revisionOf(write) === revisionOf(writes[i - 1] as Operation))
    .map((write) => `revision ${revisionOf(write)} was given twice`);
}

/** No write that began after another had ended may precede it. */
function realTimeOrder(writes: readonly Operation[]): string[] {
  const problems: string[] = [];
  let latestStart = Number.NEGATIVE_INFINITY;
  let latest: Operation | undefined;
  for (const write of writes) {
    if (write.end < latestStart) {
      problems.push(
        `write ${revisionOf(write)} had ended before write ${revisionOf(latest as Operation)} began`,
      );
    }
    if (write.start > latestStart) [latestStart, latest] = [write.start, write];
  }
  return problems;
}

function conditions(writes: readonly Operation[]): string[] {
  const problems: string[] = [];
  const current = new Map<string, number>();
  for (const { key, ifRevision, write } of writes) {
    const before = current.get(key) ?? 0;
    if (ifRevision !== undefined && ifRevision !== before) {
      problems.push(
        `write ${write?.revision} of ${key} wanted revision ${ifRevision}, but ${before} was current`,
      );
    }
    current.set(key, write?.text === undefined ? 0 : write.revision);
  }
  return problems;
}

function reads(operations: readonly Operation[], writes: readonly Operation[]): string[] {
  const byKey = new Map<string, Operation[]>();
  for (const write of writes) byKey.set(write.key, [...(byKey.get(write.key) ?? []), write]);
  return operations.flatMap((operation) => {
    if (operation.seen === undefined) return [];
    const { key, seen, ifRevision } = operation;
    if (ifRevision === seen)
      return [`a write of ${key} was refused at the revision ${seen} that it asked for`];
    return couldBeSeen(operation, byKey.get(key) ?? [])
      ? []
      : [`revision ${seen} of ${key} was shown when it could not be current`];
  });
}

/** Whether one of the states that `seen` may mean was current at some time between the read's start and end. */
function couldBeSeen({ seen, start, end }: Operation, writes: readonly Operation[]): boolean {
  for (let i = -1; i < writes.length; i++) {
    const from = writes[i];
    const state = from?.write?.text === undefined ? 0 : revisionOf(from);
    if (state !== seen || (from?.start ?? -1) > end) continue;
    const overwritten = writes.slice(i + 1).some((next) => next.end < start);
    if (!overwritten) return true;
  }
  return false;
}

function watchOrder(
  writes: readonly Operation[],
  events: readonly Pick<KeyValueEvent, 'key' | 'revision' | 'type'>[],
): string[] {
  const problems: string[] = [];
  for (let i = 0; i < Math.max(writes.length, events.length); i++) {
    const [write, event] = [writes[i], events[i]];
    const delivered = event && `${event.type} of ${event.key} at ${event.revision}`;
    const type = write?.write?.text === undefined ? 'delete' : 'put';
    const done = write && `${type} of ${write.key} at ${revisionOf(write)}`;
    if (delivered !== done)
      problems.push(`event ${i} of the watch is ${delivered ?? 'missing'}, the write ${done ?? 'none'}`);
  }
  return problems;
}
