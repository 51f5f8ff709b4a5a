import { type ObjectCodec, ObjectRecord } from '../objects/object-record.ts';
import { faultOf, UnreadableObjectError } from '../objects/unreadable-object.ts';
import type { Entry } from './entry.ts';
import type { EntryCondition, EntryIndex, EntrySelection } from './entry-selection.ts';

/**
 * An index over objects: by a label, by a field. It is identified by the object itself: callers, also forks of a server, must reuse the
 * same object to reuse what was built.
 *
 * @example
 * const byShard = new RecordIndex('/configmaps/', ({ labels }) => (labels.shard === undefined ? [] : [labels.shard]));
 * await objects.list('/configmaps/', { select: { conditions: [{ index: byShard, anyOf: ['s3'] }] } });
 */
export class RecordIndex {
  /** The prefix of the indexed keys; ends with `/`. */
  readonly prefix: string;
  /** Returns the terms of an object, without duplicates. Pure. */
  readonly termsOf: (record: ObjectRecord) => readonly string[];
  readonly #byCodec: WeakMap<ObjectCodec, EntryIndex> = new WeakMap();

  constructor(prefix: string, termsOf: (record: ObjectRecord) => readonly string[]) {
    this.prefix = prefix;
    this.termsOf = termsOf;
  }

  /** Returns the index over the bytes of a codec. */
  over(codec: ObjectCodec): EntryIndex {
    let index = this.#byCodec.get(codec);
    if (!index) {
      const { prefix, termsOf } = this;
      index = {
        prefix,
        termsOf: (entry) => ifReadable(() => termsOf(glanceAt(entry, codec)), UNREADABLE),
      };
      this.#byCodec.set(codec, index);
    }
    return index;
  }
}

/** Selects the objects that have at least one of these terms. */
export interface RecordCondition {
  readonly index: RecordIndex;
  readonly anyOf: readonly string[];
}

/** Selects objects of a prefix. */
export interface RecordSelection {
  /** All of them must match. The prefix of a list must be below that of each index. */
  readonly conditions: readonly RecordCondition[];
  /** Must match in addition to the conditions; pure. */
  readonly matches?: (record: ObjectRecord) => boolean;
}

/** Converts a selection for an engine. */
export function toEntrySelection(
  { conditions, matches }: RecordSelection,
  codec: ObjectCodec,
): EntrySelection {
  return {
    conditions: conditions.map((condition) => toEntryCondition(condition, codec)),
    ...(matches && {
      matches: (entry: Entry) => ifReadable(() => matches(glanceAt(entry, codec)), true),
    }),
  };
}

/** Converts a condition for an engine. */
export function toEntryCondition({ index, anyOf }: RecordCondition, codec: ObjectCodec): EntryCondition {
  return { index: index.over(codec), anyOf: [...anyOf, ...UNREADABLE] };
}

/** The terms of objects that cannot be read: every selection finds them, so that it fails, instead of leaving them out. */
const UNREADABLE: readonly string[] = ['\u0000unreadable'];

function ifReadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (UnreadableObjectError.is(error)) return otherwise;
    throw error;
  }
}

/** Returns the cached record of an entry, or a temporary one: entries that are only matched must not stay decoded in memory. */
function glanceAt(entry: Entry, codec: ObjectCodec): ObjectRecord {
  const { memo } = entry;
  if (ObjectRecord.is(memo) && memo.codec === codec) return memo;
  return new ObjectRecord(entry.key, entry.revision, entry.value, codec, faultOf(entry));
}
