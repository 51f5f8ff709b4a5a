import type { Entry, SharedEntries } from '../contracts/entry.ts';
import { type ObjectCodec, ObjectRecord } from './object-record.ts';
import { faultOf } from './unreadable-object.ts';

/** Returns the record of an entry, created on first use with this codec and cached at the entry. */
export function recordOf(entry: Entry, codec: ObjectCodec): ObjectRecord {
  const { memo } = entry;
  if (ObjectRecord.is(memo) && memo.codec === codec) return memo;
  const record = new ObjectRecord(
    ...([entry.key, entry.revision, entry.value, codec] as const),
    faultOf(entry),
    entry.isStale,
  );
  entry.memo = record;
  return record;
}

/** The records of entries that an engine returns again until they change. */
interface SharedRecords {
  readonly codec: ObjectCodec;
  readonly records: readonly ObjectRecord[];
}

/** Returns the records of shared entries, created on first use and cached there; undefined if some cannot be read. */
export function sharedRecords(shared: SharedEntries, codec: ObjectCodec): SharedRecords | undefined {
  const memo = shared.memo as SharedRecords | undefined;
  if (memo?.codec === codec) return memo;
  const records = shared.entries.map((entry) => recordOf(entry, codec));
  if (records.some(({ fault }) => fault)) return undefined;
  const made = { codec, records };
  shared.memo = made;
  return made;
}
