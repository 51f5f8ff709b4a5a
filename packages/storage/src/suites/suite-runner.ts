import type { MaybePromise } from '@ashlar/core';
import type { SteppedClock } from '@ashlar/core/testing';
import type { KeyValueStore } from '../contracts/key-value-store.ts';

/** The two functions of a test runner that the suites need: Vitest's, Jest's, Bun's and `node:test`'s fit. */
export interface SuiteRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

/** The environment of a store under test. */
export interface StoreContext {
  /** Clock for the engine, if it uses one. */
  readonly clock: SteppedClock;
  /** Names the data: unique to each test; repeated if a durable engine is to open what it closed. */
  readonly id: string;
}

/** Creates a store: an empty one, or for a repeated `id` the one that was closed. */
export type CreateStore = (context: StoreContext) => MaybePromise<KeyValueStore>;

/** Options of an engine's suite. */
export interface StoreSuiteOptions extends SuiteRunner {
  /** Advances the time of the engine; by default the clock of the context. */
  readonly passTime?: (milliseconds: number, clock: SteppedClock) => Promise<void>;
  /** How long the engine stores superseded states; not tested by default. */
  readonly historyMilliseconds?: number;
  /** False for an engine without entries in memory, which creates them with every read. */
  readonly sharesEntries?: boolean;
  /** Number of random histories; default 50. */
  readonly runs?: number;
}

/** The context of a group of tests. */
export interface StoreSuite {
  readonly options: StoreSuiteOptions;
  /** Defines a test on a new, empty store, which is disposed afterwards. */
  check(name: string, run: (store: KeyValueStore, context: StoreContext) => Promise<void>): void;
  /** Opens a store; of a context passed by `check` it is the same data again. */
  readonly create: CreateStore;
  /** A context of its own. */
  newContext(): StoreContext;
  passTime(milliseconds: number, context: StoreContext): Promise<void>;
}
