import { createManualClock } from '@ashlar/core/testing';
import { type CreateObjectStore, jsonCodec, type ObjectSuite } from './object-suite-runner.ts';
import { defineObjectReadTests } from './suite-object-reads.ts';
import { defineUpdateTests } from './suite-object-updates.ts';
import { defineObjectWatchTests } from './suite-object-watches.ts';
import type { SuiteRunner } from './suite-runner.ts';

let contexts = 0;

/**
 * The conformance suite of object stores, and of whatever decorates one: updates, reads, watches. As
 * {@link testKeyValueStore} it needs no particular test runner.
 *
 * @example
 * testObjectStore(
 *   'my decorator',
 *   ({ clock, codec }) => {
 *     const engine = createMemoryStore({ clock });
 *     const store = withMyDecorator(createObjectStore(engine, { codec, clock }));
 *     return { store, compact: (revision) => engine.compact(revision) };
 *   },
 *   { describe, test },
 * );
 */
export function testObjectStore(name: string, create: CreateObjectStore, runner: SuiteRunner): void {
  const suite = makeSuite(create, runner);
  runner.describe(name, () => {
    runner.describe('updates', () => defineUpdateTests(suite));
    runner.describe('reads', () => defineObjectReadTests(suite));
    runner.describe('watches', () => defineObjectWatchTests(suite));
  });
}

function makeSuite(create: CreateObjectStore, runner: SuiteRunner): ObjectSuite {
  return {
    runner,
    check: (name, run) => {
      runner.test(name, async () => {
        const clock = createManualClock(1_700_000_000_000);
        const subject = await create({ clock, codec: jsonCodec, id: `objects-${++contexts}` });
        try {
          await run(subject.store, subject, clock);
        } finally {
          await subject.dispose?.();
        }
      });
    },
  };
}
