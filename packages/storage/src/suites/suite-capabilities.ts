import type { KeyValueStore } from '../contracts/key-value-store.ts';
import { bytesOf, viewEntries, viewEntry, viewEvent } from '../objects/plain-views.ts';
import { assertEqual, assertThat } from './assertions.ts';
import type { StoreSuite } from './suite-runner.ts';
import { WatchRecorder } from './watch-recorder.ts';

/** Leases, if the engine supports them. */
export function defineLeaseTests({ check, create, passTime }: StoreSuite): void {
  check('deletes a leased entry when its time is over, as an ordinary change', async (store, context) => {
    if (!store.supports.leases) return;
    const { revision } = await store.put('/a/1', bytesOf('x'), { leaseSeconds: 2 });
    const watch = new WatchRecorder(store, '/a/', revision);
    await passTime(1000, context);
    assertEqual(viewEntry(await store.get('/a/1')), `/a/1=x@${revision}`, 'the entry within its lease');
    await passTime(3000, context);
    await watch.reaches(revision + 1);
    assertEqual(
      watch.received.map(viewEvent),
      [`delete /a/1@${revision + 1} before: /a/1=x@${revision}`],
      'the events',
    );
    assertEqual(await store.get('/a/1'), undefined, 'the entry behind its lease');
    watch[Symbol.dispose]();
  });

  check('a later write ends or renews the lease', async (store, context) => {
    if (!store.supports.leases) return;
    await store.put('/a/1', bytesOf('x'), { leaseSeconds: 2 });
    await store.put('/a/1', bytesOf('y'));
    await store.put('/a/2', bytesOf('x'), { leaseSeconds: 2 });
    await store.put('/a/2', bytesOf('y'), { leaseSeconds: 60 });
    await store.put('/a/3', bytesOf('x'), { leaseSeconds: 2 });
    await store.delete('/a/3');
    const { revision } = await store.put('/a/3', bytesOf('y'));
    await passTime(4000, context);
    assertEqual(await store.currentRevision(), revision, 'the revision');
    assertEqual((await store.range('/a/')).entries.length, 3, 'the entries');
  });

  check('leases go on over a restart', async (store, context) => {
    if (!store.supports.leases || !store.supports.durable) return;
    const { revision } = await store.put('/a/1', bytesOf('x'), { leaseSeconds: 5 });
    await passTime(2000, context);
    await store[Symbol.asyncDispose]();
    const again = await create(context);
    try {
      const watch = new WatchRecorder(again, '/a/', revision);
      await passTime(1000, context);
      assertThat((await again.get('/a/1')) !== undefined, 'the lease ended before its time');
      await passTime(3000, context);
      await watch.reaches(revision + 1);
    } finally {
      await again[Symbol.asyncDispose]();
    }
  });
}

/** Forks, if the engine supports them. */
export function defineForkTests({ check, passTime }: StoreSuite): void {
  const forked = (
    name: string,
    run: (store: KeyValueStore, fork: KeyValueStore, pass: (ms: number) => Promise<void>) => Promise<void>,
  ): void =>
    check(name, async (store, context) => {
      if (!store.supports.fork) return;
      assertThat(store.fork !== undefined, 'the engine declares forks and has no fork()');
      await store.put('/a/1', bytesOf('x'));
      await store.put('/a/1', bytesOf('y'));
      await store.put('/a/2', bytesOf('l'), { leaseSeconds: 2 });
      const fork = store.fork();
      try {
        await run(store, fork, (milliseconds) => passTime(milliseconds, context));
      } finally {
        await fork[Symbol.asyncDispose]();
      }
    });

  forked('a fork has the same state and history', async (store, fork) => {
    const revision = await store.currentRevision();
    assertEqual(await fork.currentRevision(), revision, 'the revision');
    assertEqual(viewEntries(await fork.range('')), viewEntries(await store.range('')), 'the state');
    const past = { atRevision: revision - 2 };
    assertEqual(
      viewEntries(await fork.range('', past)),
      viewEntries(await store.range('', past)),
      'the past',
    );
    const watch = new WatchRecorder(fork, '', revision - 1);
    await watch.reaches(revision);
    watch[Symbol.dispose]();
  });

  forked('neither side sees what the other writes', async (store, fork) => {
    const revision = await store.currentRevision();
    const watches = [store, fork].map((side) => new WatchRecorder(side, '/a/1', revision));
    await store.put('/a/1', bytesOf('of the store'));
    await fork.delete('/a/1');
    await fork.put('/a/3', bytesOf('of the fork'));
    assertEqual(viewEntry(await store.get('/a/1')), `/a/1=of the store@${revision + 1}`, "the store's value");
    assertEqual(await fork.get('/a/1'), undefined, "the fork's value");
    assertEqual(await store.get('/a/3'), undefined, "the fork's new key in the store");
    for (const watch of watches) {
      await watch.reaches(revision + 1);
      assertEqual(watch.received.length, 1, 'the events of one side');
      watch[Symbol.dispose]();
    }
  });

  forked('leases end on both sides', async (store, fork, pass) => {
    if (!store.supports.leases) return;
    const revision = await store.currentRevision();
    const watches = [store, fork].map((side) => new WatchRecorder(side, '/a/2', revision));
    await pass(4000);
    for (const watch of watches) {
      await watch.reaches(revision + 1);
      watch[Symbol.dispose]();
    }
  });

  forked('a fork outlives its store', async (store, fork) => {
    await store[Symbol.asyncDispose]();
    assertEqual((await fork.range('/a/')).entries.length, 2, "the fork's entries");
    assertThat((await fork.put('/a/9', bytesOf('x'))).ok, 'the fork does not take a write');
  });
}
