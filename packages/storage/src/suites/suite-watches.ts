import {
  type KeyValueStore,
  RevisionCompactedError,
  StoreClosedError,
} from '../contracts/key-value-store.ts';
import { bytesOf, viewEvent } from '../objects/plain-views.ts';
import { assertEqual, assertThat } from './assertions.ts';
import type { StoreSuite } from './suite-runner.ts';
import { WatchRecorder } from './watch-recorder.ts';

/** The events of a watch that has caught up: a last write below its prefix marks the end. */
async function receivedEvents(store: KeyValueStore, watch: WatchRecorder, end: string): Promise<string[]> {
  const { revision } = await store.put(end, bytesOf('end'));
  await watch.reaches(revision);
  watch[Symbol.dispose]();
  return watch.received.slice(0, -1).map(viewEvent);
}

/** Watches: start, order, prefixes, ends. */
export function defineWatchTests(suite: StoreSuite): void {
  defineDeliveryTests(suite);
  defineEndTests(suite);
}

function defineDeliveryTests({ check, options }: StoreSuite): void {
  check('delivers every change once, in order, with what was before', async (store) => {
    const base = await store.currentRevision();
    const watch = new WatchRecorder(store, '/a/', base);
    await store.put('/a/1', bytesOf('x'));
    await store.put('/b/1', bytesOf('-'));
    await store.put('/a/1', bytesOf('y'));
    await store.delete('/a/1', { ifRevision: base + 1 });
    await store.delete('/a/1');
    await store.put('/a/1', bytesOf('z'), { ifRevision: 0 });
    assertEqual(
      await receivedEvents(store, watch, '/a/end'),
      [
        `put /a/1=x@${base + 1} before: nothing`,
        `put /a/1=y@${base + 3} before: /a/1=x@${base + 1}`,
        `delete /a/1@${base + 4} before: /a/1=y@${base + 3}`,
        `put /a/1=z@${base + 5} before: nothing`,
      ],
      'the events',
    );
  });

  check('starts in the past with what happened since', async (store) => {
    const base = await store.currentRevision();
    const put = async (i: number): Promise<[key: number, revision: number]> => {
      const { revision } = await store.put(`/a/${i % 3}`, bytesOf(`${i}`));
      return [i % 3, revision];
    };
    const written: [key: number, revision: number][] = [];
    for (let i = 0; i < 40; i++) written.push(await put(i));
    const watch = new WatchRecorder(store, '/a/1', base + 10);
    written.push(...(await Promise.all(Array.from({ length: 20 }, (_, i) => put(i)))));
    await receivedEvents(store, watch, '/a/1');
    const expected = written.filter(([key, revision]) => key === 1 && revision > base + 10);
    const revisions = watch.received.slice(0, -1).map((event) => event.revision);
    assertEqual(
      revisions,
      expected.map(([, revision]) => revision).sort((a, b) => a - b),
      'the revisions heard',
    );
  });

  check('waits silently where its start is in the future', async (store) => {
    const base = await store.currentRevision();
    const watch = new WatchRecorder(store, '/a/', base + 2);
    for (let i = 0; i < 4; i++) await store.put(`/a/${i}`, bytesOf(''));
    await receivedEvents(store, watch, '/a/end');
    const revisions = watch.received.map((event) => event.revision);
    assertEqual(revisions, [base + 3, base + 4, base + 5], 'the revisions heard');
  });

  check('receives events of its prefix, of its key, or all', async (store) => {
    const base = await store.currentRevision();
    const watches = ['/a/', '/a/1', '/a', ''].map((prefix) => new WatchRecorder(store, prefix, base));
    for (const key of ['/a', '/a/1', '/a/1/x', '/a/2', '/ab/1']) await store.put(key, bytesOf(''));
    const late = ['/a/', '/a/1', '/a', ''].map((prefix) => new WatchRecorder(store, prefix, base));
    const ends = ['/a/z', '/a/1', '/a', '/z'];
    for (const end of ends) await store.put(end, bytesOf('end'));
    const expected = [
      ['/a/1', '/a/1/x', '/a/2', '/a/z', '/a/1'],
      ['/a/1', '/a/1'],
      ['/a', '/a'],
      ['/a', '/a/1', '/a/1/x', '/a/2', '/ab/1', ...ends],
    ];
    const [first, second] = [watches, late];
    for (const group of [first, second]) {
      for (const [i, watch] of group.entries()) {
        const last = i === 0 ? 7 : i === 1 ? 7 : i === 2 ? 8 : 9;
        await watch.reaches(base + last);
        assertEqual(
          watch.received.map((event) => event.key),
          expected[i],
          `what watch ${i} heard`,
        );
        watch[Symbol.dispose]();
      }
    }
  });

  check('shares entries between events and reads', async (store) => {
    if (options.sharesEntries === false) return;
    const watch = new WatchRecorder(store, '/a/', await store.currentRevision());
    const { revision } = await store.put('/a/1', bytesOf('x'));
    await watch.reaches(revision);
    const entry = await store.get('/a/1');
    assertThat(watch.received[0]?.entry === entry, 'the event and get give different entries for one value');
    watch[Symbol.dispose]();
  });
}

function defineEndTests({ check, create, newContext }: StoreSuite): void {
  check('ends a watch whose start has been compacted', async (store) => {
    const { revision } = await store.put('/a/1', bytesOf('x'));
    await store.put('/a/1', bytesOf('y'));
    await store.compact(revision + 1);
    const error = await new WatchRecorder(store, '/a/', revision).ends();
    assertThat(RevisionCompactedError.is(error), `expected RevisionCompactedError, got ${error}`);
    assertEqual([error.requested, error.oldest], [revision, revision + 1], 'what the error tells');
    const watch = new WatchRecorder(store, '/a/', revision + 1);
    assertEqual(
      await receivedEvents(store, watch, '/a/1'),
      [],
      'what a watch from the oldest revision hears',
    );
  });

  check('delivers to open watches what is compacted right after they were opened', async (store) => {
    const base = await store.currentRevision();
    await store.put('/a/1', bytesOf('x'));
    const { revision } = await store.put('/a/1', bytesOf('y'));
    const watches = Array.from({ length: 12 }, () => new WatchRecorder(store, '/a/', base));
    await store.compact(revision);
    for (const watch of watches) await watch.reaches(revision);
    assertEqual(
      watches.map(({ received }) => received.length),
      watches.map(() => 2),
      'the number of events of each watch',
    );
    for (const watch of watches) watch[Symbol.dispose]();
  });

  check('is silent once disposed of', async (store) => {
    const base = await store.currentRevision();
    const watch = new WatchRecorder(store, '/a/', base);
    const other = new WatchRecorder(store, '/a/', base);
    await store.put('/a/1', bytesOf('x'));
    await watch.reaches(base + 1);
    watch[Symbol.dispose]();
    watch[Symbol.dispose]();
    assertEqual((await receivedEvents(store, other, '/a/2')).length, 1, 'what the other watch heard');
    assertEqual(watch.received.length, 1, 'what the disposed watch heard');
    assertEqual(watch.failure, undefined, 'the end of the disposed watch');
  });

  check('an observer that throws affects no other', async (store) => {
    const base = await store.currentRevision();
    const events = (): void => {
      throw new Error('thrown by the observer');
    };
    const ended = new Promise((resolve) => {
      store.watch('/a/', { afterRevision: base }, { events, error: resolve });
    });
    const other = new WatchRecorder(store, '/a/', base);
    await store.put('/a/1', bytesOf('x'));
    assertEqual((await receivedEvents(store, other, '/a/2')).length, 1, 'what the other watch heard');
    assertThat(String(await ended).includes('thrown by the observer'), 'the thrower is not told its error');
  });

  check('ends its watches when it is disposed of', async () => {
    const store = await create(newContext());
    const watch = new WatchRecorder(store, '/a/', await store.currentRevision());
    await store[Symbol.asyncDispose]();
    const error = await watch.ends();
    assertThat(StoreClosedError.is(error), `expected StoreClosedError, got ${error}`);
  });
}
