import { StatusError } from '@ashlar/core';
import type { ObjectEvent, ObjectStore } from '../contracts/object-store.ts';
import { assertEqual, assertThat } from './assertions.ts';
import { type ObjectSuite, removing, viewObjectEvent, writing } from './object-suite-runner.ts';

/** A watch and its received events. */
class Listener implements Disposable {
  readonly received: ObjectEvent[] = [];
  failure: Error | undefined;
  readonly #store: ObjectStore;
  readonly #watch: Disposable;
  #notify: () => void = () => {};

  constructor(store: ObjectStore, prefix: string, afterRevision: number) {
    this.#store = store;
    const events = (batch: readonly ObjectEvent[]): void => {
      this.received.push(...batch);
      this.#notify();
    };
    const error = (failure: Error): void => {
      this.failure = failure;
      this.#notify();
    };
    this.#watch = store.watch(prefix, { afterRevision }, { events, error });
  }

  /** Events received before that of a last write, which goes to `end`. */
  async until(end: string): Promise<ObjectEvent[]> {
    const { record } = await this.#store.update(end, writing('end', `the end of ${this.received.length}`));
    const last = record?.revision ?? 0;
    await this.#when(() => (this.received.at(-1)?.record.revision ?? 0) >= last);
    if (this.failure) throw this.failure;
    this[Symbol.dispose]();
    return this.received.slice(0, -1);
  }

  async ends(): Promise<Error> {
    await this.#when(() => this.failure !== undefined);
    return this.failure as Error;
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }

  #when(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = () => {
        if (condition() || this.failure) resolve();
      };
      this.#notify();
    });
  }
}

/** Watches of objects. */
export function defineObjectWatchTests({ check, options }: ObjectSuite): void {
  check('sends creations, updates and removals, with the previous object', async (store) => {
    const base = await store.currentRevision();
    const listener = new Listener(store, '/t/', base);
    await store.update('/t/a', writing('a', '1'));
    await store.update('/u/a', writing('a', '1'));
    await store.update('/t/a', writing('a', '2'));
    await store.update('/t/a', writing('a', '2'));
    await store.update('/t/a', removing);
    const events = await listener.until('/t/end');
    assertEqual(
      events.map(viewObjectEvent),
      [
        `created /t/a=1@${base + 1}`,
        `updated /t/a=2@${base + 3} before: /t/a=1@${base + 1}`,
        `removed /t/a=2@${base + 4}`,
      ],
      'the events',
    );
  });

  check('starts in the past, and waits for the future', async (store) => {
    const base = await store.currentRevision();
    for (let i = 1; i <= 4; i++) await store.update('/t/a', writing('a', `${i}`));
    const past = new Listener(store, '/t/', base + 2);
    const future = new Listener(store, '/t/', base + 5);
    for (let i = 5; i <= 7; i++) await store.update('/t/a', writing('a', `${i}`));
    const revisions = async (listener: Listener, end: string): Promise<number[]> =>
      (await listener.until(end)).map((event) => event.record.revision);
    const from = (first: number): number[] => Array.from({ length: 8 - first }, (_, i) => base + first + i);
    assertEqual(await revisions(past, '/t/end'), from(3), 'the revisions since the past');
    assertEqual((await revisions(future, '/t/end')).slice(0, 2), from(6), 'the revisions in the future');
  });

  check('gives one record to all who look at one value', async (store) => {
    if (options.sharesEntries === false) return;
    const base = await store.currentRevision();
    const listeners = ['/t/', '/t/a'].map((prefix) => new Listener(store, prefix, base));
    await store.update('/t/a', writing('a', '1'));
    const record = await store.get('/t/a');
    const [listed] = (await store.list('/t/')).records;
    assertThat(record !== undefined && record === listed, 'get and list give different records');
    for (const listener of listeners) {
      const [event] = await listener.until('/t/a');
      assertThat(event?.record === record, 'get and watch give different records');
    }
  });

  check('delivers every change once under concurrent writers', async (store) => {
    const base = await store.currentRevision();
    const listener = new Listener(store, '/t/', base);
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; i < 20; i++) await store.update(`/t/${i % 3}`, writing(`${i % 3}`, `${writer}.${i}`));
    };
    await Promise.all([0, 1, 2, 3].map(write));
    const last = await store.currentRevision();
    const revisions = (await listener.until('/t/end')).map((event) => event.record.revision);
    const expected = Array.from({ length: last - base }, (_, i) => base + 1 + i);
    assertEqual(revisions, expected, 'the revisions heard');
  });

  check('is silent once disposed of', async (store) => {
    const base = await store.currentRevision();
    const [listener, other] = [new Listener(store, '/t/', base), new Listener(store, '/t/', base)];
    listener[Symbol.dispose]();
    await store.update('/t/a', writing('a', '1'));
    assertEqual((await other.until('/t/end')).length, 1, 'what the other has heard');
    assertEqual(
      [listener.received.length, listener.failure],
      [0, undefined],
      'what the disposed one has heard',
    );
  });

  check('ends with a 410 where its start has been compacted', async (store, { compact }) => {
    if (!compact) return;
    const { record } = await store.update('/t/a', writing('a', '1'));
    const revision = record?.revision as number;
    await store.update('/t/a', writing('a', '2'));
    await compact(revision + 1);
    const error = await new Listener(store, '/t/', revision).ends();
    assertThat(StatusError.is(error, 'Expired'), `expected a StatusError 410, got ${error}`);
    const message = `too old resource version: ${revision} (${revision + 1})`;
    assertEqual([error.code, error.message], [410, message], 'the error');
  });
}
