import { StoreClosedError, type WriteResult } from '../contracts/key-value-store.ts';
import { bytesOf, viewEntries, viewEntry } from '../objects/plain-views.ts';
import { assertEqual, assertFails, assertThat } from './assertions.ts';
import type { StoreSuite } from './suite-runner.ts';

/** The result of a write as plain values. */
const view = (result: WriteResult): Record<string, unknown> =>
  result.ok ? { ok: true, revision: result.revision } : { ok: false, current: viewEntry(result.current) };

/** Gets, puts, deletes, compare-and-swap and disposal. */
export function defineWriteTests({ check, create, newContext, options }: StoreSuite): void {
  check('begins at a revision above 0, which clients take for "any"', async (store) => {
    assertThat((await store.currentRevision()) >= 1, 'the revision of an empty store is 0');
    assertEqual(await store.get('/a/1'), undefined, 'an absent key');
  });

  check('counts every change by one and shows it at once', async (store) => {
    const base = await store.currentRevision();
    const first = await store.put('/a/1', bytesOf('x'));
    assertEqual(view(first), { ok: true, revision: base + 1 }, 'the first put');
    assertEqual(viewEntry(await store.get('/a/1')), `/a/1=x@${base + 1}`, 'the value put');
    assertEqual(
      view(await store.put('/a/1', bytesOf('x'))),
      { ok: true, revision: base + 2 },
      'an equal put',
    );
    assertEqual(view(await store.delete('/a/1')), { ok: true, revision: base + 3 }, 'the delete');
    assertEqual(await store.get('/a/1'), undefined, 'the deleted key');
    assertEqual(await store.currentRevision(), base + 3, 'the current revision');
  });

  check('returns what a write replaced', async (store) => {
    const { revision } = await store.put('/a/1', bytesOf('x'));
    const put = await store.put('/a/1', bytesOf('y'));
    if (put.ok && put.entry) assertEqual(viewEntry(put.entry), `/a/1=y@${revision + 1}`, 'the entry put');
    if (put.ok && put.previous)
      assertEqual(viewEntry(put.previous), `/a/1=x@${revision}`, 'the entry before');
  });

  check('puts and deletes only at the revision that was asked for', async (store) => {
    const base = await store.currentRevision();
    const rejected = { ok: false, current: undefined };
    assertEqual(
      view(await store.put('/a/1', bytesOf('x'), { ifRevision: base })),
      rejected,
      'put of an absent key',
    );
    assertEqual(view(await store.delete('/a/1')), rejected, 'delete of an absent key');
    assertEqual(await store.currentRevision(), base, 'the revision behind refusals');
    const { revision } = await store.put('/a/1', bytesOf('x'), { ifRevision: 0 });
    const current = `/a/1=x@${revision}`;
    const refused = { ok: false, current };
    assertEqual(
      view(await store.put('/a/1', bytesOf('y'), { ifRevision: 0 })),
      refused,
      'create of what is there',
    );
    assertEqual(
      view(await store.put('/a/1', bytesOf('y'), { ifRevision: revision - 1 })),
      refused,
      'stale put',
    );
    assertEqual(view(await store.delete('/a/1', { ifRevision: revision - 1 })), refused, 'stale delete');
    assertEqual(viewEntry(await store.get('/a/1')), current, 'what is there after refusals');
    const deleted = await store.delete('/a/1', { ifRevision: revision });
    assertEqual(view(deleted), { ok: true, revision: revision + 1 }, 'delete at its revision');
    const again = await store.put('/a/1', bytesOf('z'), { ifRevision: 0 });
    assertEqual(view(again), { ok: true, revision: revision + 2 }, 'create after the delete');
  });

  check('hands up the same entry while its value stands', async (store) => {
    if (options.sharesEntries === false) return;
    await store.put('/a/1', bytesOf('x'));
    const entry = await store.get('/a/1');
    const [listed] = (await store.range('/a/')).entries;
    assertThat(entry !== undefined && entry === listed, 'get and range give different entries for one value');
  });

  check('keeps keys and values of any content', async (store) => {
    const value = Uint8Array.from({ length: 256 }, (_, i) => i);
    const keys = ['/a/ü', '/a/\u0001', '/a/x"y\\z', "/a/it's", '/a/%2f', '/a/😀'];
    for (const key of keys) await store.put(key, value);
    for (const key of keys) assertEqual((await store.get(key))?.value, value, `the value of ${key}`);
    await store.put('/a/empty', new Uint8Array());
    assertEqual((await store.get('/a/empty'))?.value.length, 0, 'the length of an empty value');
  });

  check('keeps a large value', async (store) => {
    const value = new Uint8Array(1_000_000).fill(7);
    await store.put('/a/large', value);
    assertEqual((await store.get('/a/large'))?.value, value, 'the large value');
  });

  check('answers writes in flight together, each under its own revision', async (store) => {
    const base = await store.currentRevision();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) => store.put(`/a/${i % 5}`, bytesOf(`${i}`))),
    );
    const revisions = results.map((result) => result.revision).sort((a, b) => a - b);
    assertEqual(
      revisions,
      Array.from({ length: 50 }, (_, i) => base + 1 + i),
      'the revisions given',
    );
    assertEqual((await store.range('/a/')).entries.length, 5, 'the keys behind it');
  });

  check('lets one of many racing compare-and-swaps win', async (store) => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.put('/a/1', bytesOf(`${i}`), { ifRevision: 0 })),
    );
    const winners = results.filter((result) => result.ok);
    assertEqual(winners.length, 1, 'the winners');
    const current = viewEntry(await store.get('/a/1'));
    for (const result of results) {
      if (!result.ok) assertEqual(viewEntry(result.current), current, 'what the losers are told');
    }
  });

  check('rejects all calls after disposal, and can be disposed of twice', async () => {
    const store = await create(newContext());
    await store[Symbol.asyncDispose]();
    const calls: Record<string, () => unknown> = {
      get: () => store.get('/a'),
      range: () => store.range('/'),
      put: () => store.put('/a', bytesOf('x')),
      delete: () => store.delete('/a'),
      watch: () => store.watch('/', { afterRevision: 1 }, { events: () => {}, error: () => {} }),
      currentRevision: () => store.currentRevision(),
    };
    for (const [name, call] of Object.entries(calls)) await assertFails(call, StoreClosedError, name);
    await store[Symbol.asyncDispose]();
  });
}

/** What a durable engine preserves over a restart. */
export function defineDurabilityTests({ check, create }: StoreSuite): void {
  check('keeps state, history and the revision over a restart', async (store, context) => {
    if (!store.supports.durable) return;
    const { revision } = await store.put('/a/1', bytesOf('x'));
    await store.put('/a/2', bytesOf('y'));
    await store.delete('/a/1');
    await store[Symbol.asyncDispose]();
    const again = await create(context);
    try {
      assertEqual(await again.currentRevision(), revision + 2, 'the revision after the restart');
      assertEqual(
        viewEntries(await again.range('/a/')),
        [`/a/2=y@${revision + 1}`],
        'the state after the restart',
      );
      const past = await again.range('/a/', { atRevision: revision });
      assertEqual(viewEntries(past), [`/a/1=x@${revision}`], 'the past after the restart');
      const next = await again.put('/a/3', bytesOf('z'));
      assertEqual(next.revision, revision + 3, 'the next revision');
    } finally {
      await again[Symbol.asyncDispose]();
    }
  });
}
