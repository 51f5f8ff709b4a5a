import type { ManualClock } from '@ashlar/core/testing';
import type { KeyValueStore } from '../contracts/key-value-store.ts';
import type { MaybePromise } from '../contracts/maybe-promise.ts';

/** The two functions of a test runner that the suites need: Vitest's, Jest's, Bun's and `node:test`'s fit. */
export interface SuiteRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

/** What a store is made with. */
export interface StoreContext {
  /** To be given to the engine, if it takes one. */
  readonly clock: ManualClock;
  /** Names the data: unique to each test; the same again where a durable engine is to open what it closed. */
  readonly id: string;
}

/** Makes a store: an empty one, or for an `id` seen before the one that was closed. */
export type CreateStore = (context: StoreContext) => MaybePromise<KeyValueStore>;

/** How an engine's suite is run. */
export interface StoreSuiteOptions extends SuiteRunner {
  /** Lets that much time pass for the engine; without it the clock of the context goes on by that much. */
  readonly passTime?: (milliseconds: number, clock: ManualClock) => Promise<void>;
  /** How long the engine holds superseded states by the clock it is given; not tested without it. */
  readonly historyMilliseconds?: number;
  /** False for an engine that keeps no entries in memory but makes them anew with every read. */
  readonly sharesEntries?: boolean;
  /** How many random histories are tried; 50 unless told. */
  readonly runs?: number;
}

/** What a group of tests is handed. */
export interface StoreSuite {
  readonly options: StoreSuiteOptions;
  /** Defines a test on a new, empty store, which is disposed of behind it. */
  check(name: string, run: (store: KeyValueStore, context: StoreContext) => Promise<void>): void;
  /** Opens a store; of a context handed out by `check` it is the same data again. */
  readonly create: CreateStore;
  /** A context of its own. */
  newContext(): StoreContext;
  passTime(milliseconds: number, context: StoreContext): Promise<void>;
}
