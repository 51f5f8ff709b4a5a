import { createSteppedClock } from '@ashlar/core/testing';
import {
  type CreateObjectStore,
  jsonCodec,
  type ObjectSuite,
  type ObjectSuiteOptions,
} from './object-suite-runner.ts';
import { defineObjectReadTests } from './suite-object-reads.ts';
import { defineUpdateTests } from './suite-object-updates.ts';
import { defineObjectWatchTests } from './suite-object-watches.ts';

let contexts = 0;

/**
 * The conformance suite of object stores, and of their decorators: updates, reads, watches. Like
 * {@link testKeyValueStore} it works with any test runner.
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
export function testObjectStore(name: string, create: CreateObjectStore, options: ObjectSuiteOptions): void {
  const suite = makeSuite(create, options);
  options.describe(name, () => {
    options.describe('updates', () => defineUpdateTests(suite));
    options.describe('reads', () => defineObjectReadTests(suite));
    options.describe('watches', () => defineObjectWatchTests(suite));
  });
}

function makeSuite(create: CreateObjectStore, options: ObjectSuiteOptions): ObjectSuite {
  return {
    options,
    check: (name, run) => {
      options.test(name, async () => {
        const clock = createSteppedClock(1_700_000_000_000);
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
