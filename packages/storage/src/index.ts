export { type CompactorOptions, createCompactor } from './compaction/create-compactor.ts';
export type { Entry } from './contracts/entry.ts';
export {
  type EntryCondition,
  type EntryIndex,
  type EntrySelection,
  selects,
} from './contracts/entry-selection.ts';
export type {
  KeyValueEvent,
  KeyValueStore,
  PutOptions,
  RangeOptions,
  RangeResult,
  StoreCapabilities,
  StoreUsage,
  Watch,
  WatchObserver,
  WatchOptions,
  WriteResult,
} from './contracts/key-value-store.ts';
export {
  FutureRevisionError,
  RevisionCompactedError,
  StoreClosedError,
  StoreFaultError,
  ValueTooLargeError,
} from './contracts/key-value-store.ts';
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
} from './contracts/object-store.ts';
export { type RecordCondition, RecordIndex, type RecordSelection } from './contracts/record-index.ts';
export { ValueTransformError } from './contracts/value-transform-error.ts';
export { type Lease, LeaseQueue, type LeaseQueueOptions } from './memory/lease-queue.ts';
export { createMemoryStore, type MemoryStore, toMemoryStore } from './memory/memory-store.ts';
export {
  deleteEvent,
  type HistoryOptions,
  type InitialState,
  MvccCore,
  putEvent,
} from './memory/mvcc-core.ts';
export { createObjectStore, type ObjectStoreOptions } from './objects/create-object-store.ts';
export { type ObjectCodec, ObjectRecord } from './objects/object-record.ts';
export { rangeSelected } from './objects/range-selected.ts';
export { UnreadableObjectError } from './objects/unreadable-object.ts';
