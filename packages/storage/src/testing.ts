export { checkHistory, type Operation } from './suites/check-history.ts';
export type {
  CreateObjectStore,
  ObjectStoreContext,
  ObjectStoreSubject,
  ObjectSuiteOptions,
} from './suites/object-suite-runner.ts';
export type { CreateStore, StoreContext, StoreSuiteOptions, SuiteRunner } from './suites/suite-runner.ts';
export { testKeyValueStore } from './suites/test-key-value-store.ts';
export { testObjectStore } from './suites/test-object-store.ts';
