export { checkHistory, type Operation } from './lib/check-history.ts';
export type {
  CreateObjectStore,
  ObjectStoreContext,
  ObjectStoreSubject,
  ObjectSuiteOptions,
} from './lib/object-suite-runner.ts';
export type { CreateStore, StoreContext, StoreSuiteOptions, SuiteRunner } from './lib/suite-runner.ts';
export { testKeyValueStore } from './lib/test-key-value-store.ts';
export { testObjectStore } from './lib/test-object-store.ts';
