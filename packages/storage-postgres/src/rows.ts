import type { Entry, KeyValueEvent } from '@ashlar/storage';

/** A number of PostgreSQL: its driver returns texts, for those that a number of JavaScript cannot hold. @throws RangeError */
export function toRevision(text: string): number {
  const revision = Number(text);
  if (Number.isSafeInteger(revision)) return revision;
  throw new RangeError(`the revision ${text} is beyond 2^53`);
}

/** An entry of the contract, with a buffer of its own. */
export const toEntry = (key: string, revision: string, value: Buffer): Entry => ({
  key,
  value: new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
  revision: toRevision(revision),
  memo: undefined,
});

/** A row of the statement `changes`: the state, and a change with the value before it. */
export type ChangeRow = readonly [
  revision: string,
  compacted: string,
  changed: string | null,
  key: string,
  value: Buffer | null,
  previousRevision: string | null,
  previousValue: Buffer | null,
];

export function toEvent([
  ,
  ,
  changed,
  key,
  value,
  previousRevision,
  previousValue,
]: ChangeRow): KeyValueEvent {
  const revision = toRevision(changed as string);
  const before =
    previousRevision !== null && previousValue !== null
      ? toEntry(key, previousRevision, previousValue)
      : undefined;
  const previous = before && { previous: before };
  if (value === null) return { type: 'delete', key, revision, ...previous, memo: undefined };
  return {
    type: 'put',
    key,
    revision,
    entry: toEntry(key, changed as string, value),
    ...previous,
    memo: undefined,
  };
}
