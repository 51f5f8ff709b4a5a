export type {
  Entry,
  KeyValueEvent,
  KeyValueStore,
  MaybePromise,
  PutOptions,
  RangeOptions,
  RangeResult,
  StoreCapabilities,
  WatchObserver,
  WriteResult,
} from './lib/key-value-store.ts';
export { FutureRevisionError, RevisionCompactedError } from './lib/key-value-store.ts';
export { type ObjectCodec, ObjectRecord } from './lib/object-record.ts';
export type {
  Change,
  ChangeFunction,
  ChangeResult,
  ListOptions,
  ListResult,
  ObjectEvent,
  ObjectObserver,
  ObjectStore,
  ReadOptions,
} from './lib/object-store.ts';
