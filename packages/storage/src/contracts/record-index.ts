import { type ObjectCodec, ObjectRecord } from '../objects/object-record.ts';
import type { Entry } from './entry.ts';
import type { EntryCondition, EntryIndex, EntrySelection } from './entry-selection.ts';

/**
 * An index over objects: by a label, by a field. It is its own identity: whoever asks again, forks of a server too, does so with the
 * same one and finds what was built before.
 *
 * @example
 * const byShard = new RecordIndex('/configmaps/', ({ labels }) => (labels.shard === undefined ? [] : [labels.shard]));
 * await objects.list('/configmaps/', { select: { conditions: [{ index: byShard, anyOf: ['s3'] }] } });
 */
export class RecordIndex {
  /** The keys that it covers: ends with `/`. */
  readonly prefix: string;
  /** The terms that an object is found by, none twice. Pure. */
  readonly termsOf: (record: ObjectRecord) => readonly string[];
  readonly #byCodec: WeakMap<ObjectCodec, EntryIndex> = new WeakMap();

  constructor(prefix: string, termsOf: (record: ObjectRecord) => readonly string[]) {
    this.prefix = prefix;
    this.termsOf = termsOf;
  }

  /** The same over the bytes that a codec makes. */
  over(codec: ObjectCodec): EntryIndex {
    let index = this.#byCodec.get(codec);
    if (!index) {
      const { prefix, termsOf } = this;
      index = { prefix, termsOf: (entry) => termsOf(glanceAt(entry, codec)) };
      this.#byCodec.set(codec, index);
    }
    return index;
  }
}

/** Holds for the objects that have at least one of these terms. */
export interface RecordCondition {
  readonly index: RecordIndex;
  readonly anyOf: readonly string[];
}

/** Which objects of a prefix are wanted. */
export interface RecordSelection {
  /** All of them must hold. The prefix of a list lies below that of each index. */
  readonly conditions: readonly RecordCondition[];
  /** What must hold beside the conditions; pure. */
  readonly matches?: (record: ObjectRecord) => boolean;
}

/** The selection in the terms of an engine. */
export function toEntrySelection(
  { conditions, matches }: RecordSelection,
  codec: ObjectCodec,
): EntrySelection {
  return {
    conditions: conditions.map((condition) => toEntryCondition(condition, codec)),
    ...(matches && { matches: (entry: Entry) => matches(glanceAt(entry, codec)) }),
  };
}

/** The condition in the terms of an engine. */
export function toEntryCondition({ index, anyOf }: RecordCondition, codec: ObjectCodec): EntryCondition {
  return { index: index.over(codec), anyOf };
}

/** The record that is kept at an entry, or one to be thrown away: what is only looked at in passing must not stay in memory. */
function glanceAt(entry: Entry, codec: ObjectCodec): ObjectRecord {
  const { memo } = entry;
  if (memo instanceof ObjectRecord && memo.codec === codec) return memo;
  return new ObjectRecord(entry.key, entry.revision, entry.value, codec);
}
