import { createSteppedClock } from '@ashlar/core/testing';
import { defineForkTests, defineLeaseTests } from './suite-capabilities.ts';
import { defineConcurrencyTests } from './suite-concurrency.ts';
import { defineModelTests } from './suite-model.ts';
import { defineReadTests } from './suite-reads.ts';
import type { CreateStore, StoreContext, StoreSuite, StoreSuiteOptions } from './suite-runner.ts';
import { defineWatchTests } from './suite-watches.ts';
import { defineDurabilityTests, defineWriteTests } from './suite-writes.ts';

let contexts = 0;

/**
 * The conformance suite of engines: defines tests for every sentence of the {@link KeyValueStore} contract,
 * for what the engine declares in `supports`, for random histories against a plain model, and for concurrent
 * writers against a checker of linearizability. Works with any test runner, and needs fast-check.
 *
 * @param create creates an empty store for each new id, and opens the data again for a repeated one
 * @example
 * import { testKeyValueStore } from '@ashlar/storage/testing';
 * import { describe, test } from 'vitest';
 *
 * testKeyValueStore('my engine', ({ clock }) => createMyEngine({ clock }), { describe, test });
 */
export function testKeyValueStore(name: string, create: CreateStore, options: StoreSuiteOptions): void {
  const suite = makeSuite(create, options);
  options.describe(name, () => {
    options.describe('writes', () => defineWriteTests(suite));
    options.describe('reads', () => defineReadTests(suite));
    options.describe('watches', () => defineWatchTests(suite));
    options.describe('leases', () => defineLeaseTests(suite));
    options.describe('forks', () => defineForkTests(suite));
    options.describe('durability', () => defineDurabilityTests(suite));
    options.describe('random histories', () => defineModelTests(suite));
    options.describe('concurrency', () => defineConcurrencyTests(suite));
  });
}

function makeSuite(create: CreateStore, options: StoreSuiteOptions): StoreSuite {
  const newContext = (): StoreContext => ({
    clock: createSteppedClock(1_700_000_000_000),
    id: `suite-${++contexts}`,
  });
  const pass = options.passTime ?? (async (milliseconds, clock) => clock.advance(milliseconds));
  return {
    options,
    create,
    newContext,
    passTime: (milliseconds, { clock }) => pass(milliseconds, clock),
    check: (name, run) => {
      options.test(name, async () => {
        const context = newContext();
        const store = await create(context);
        try {
          await run(store, context);
        } finally {
          await store[Symbol.asyncDispose]();
        }
      });
    },
  };
}
