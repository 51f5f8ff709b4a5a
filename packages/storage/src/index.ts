export { type CompactorOptions, createCompactor } from './lib/create-compactor.ts';
export { createObjectStore, type ObjectStoreOptions } from './lib/create-object-store.ts';
export type { EntryCondition, EntryIndex, EntrySelection } from './lib/entry-selection.ts';
export type {
  Entry,
  KeyValueEvent,
  KeyValueStore,
  MaybePromise,
  PutOptions,
  RangeOptions,
  RangeResult,
  StoreCapabilities,
  StoreHoldings,
  Watch,
  WatchObserver,
  WatchOptions,
  WriteResult,
} from './lib/key-value-store.ts';
export {
  FutureRevisionError,
  RevisionCompactedError,
  StoreClosedError,
  StoreFaultError,
  ValueTooLargeError,
} from './lib/key-value-store.ts';
export { type Lease, LeaseQueue, type LeaseQueueOptions } from './lib/lease-queue.ts';
export { andThen } from './lib/maybe-promise.ts';
export { createMemoryStore, type MemoryStore, toMemoryStore } from './lib/memory-store.ts';
export { deleteEvent, type HistoryOptions, type InitialState, MvccCore, putEvent } from './lib/mvcc-core.ts';
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
  ObjectWatchOptions,
  ReadOptions,
} from './lib/object-store.ts';
export { rangeSelected } from './lib/range-selected.ts';
export { type RecordCondition, RecordIndex, type RecordSelection } from './lib/record-index.ts';
