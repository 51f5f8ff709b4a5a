import type { Entry } from '../contracts/entry.ts';
import type { EntryIndex } from '../contracts/entry-selection.ts';
import {
  FutureRevisionError,
  type KeyValueStore,
  type RangeResult,
  RevisionCompactedError,
} from '../contracts/key-value-store.ts';
import { bytesOf, viewEntries } from '../objects/plain-views.ts';
import { rangeSelected } from '../objects/range-selected.ts';
import { assertEqual, assertFails, assertThat } from './assertions.ts';
import type { StoreSuite } from './suite-runner.ts';

const keysOf = async (store: KeyValueStore, prefix: string): Promise<string[]> =>
  (await store.range(prefix)).entries.map((entry) => entry.key);

/** Ranges: prefixes, order, paging, exact revisions, compaction. */
export function defineReadTests(suite: StoreSuite): void {
  definePrefixTests(suite);
  definePagingTests(suite);
  defineSelectionTests(suite);
  defineHistoryTests(suite);
}

function definePrefixTests({ check }: StoreSuite): void {
  check('ranges over a prefix, one key, or everything', async (store) => {
    for (const key of ['/a', '/a/', '/a/1', '/a/1/x', '/a0', '/ab/1', '/b/1'])
      await store.put(key, bytesOf(''));
    assertEqual(await keysOf(store, '/a/'), ['/a/', '/a/1', '/a/1/x'], 'keys below /a/');
    assertEqual(await keysOf(store, '/a'), ['/a'], 'the one key /a');
    assertEqual(await keysOf(store, '/a/1/'), ['/a/1/x'], 'keys below /a/1/');
    assertEqual(await keysOf(store, '/none/'), [], 'keys below /none/');
    assertEqual(await keysOf(store, '/a/2'), [], 'the absent key /a/2');
    assertEqual((await keysOf(store, '')).length, 7, 'all keys');
  });

  check('sorts complete keys by code unit', async (store) => {
    const keys = ['/p/a-b/x', '/p/a.b/x', '/p/a/x', '/p/a0/x', '/p/ab/x', '/p/b/x', '/p/é/x'];
    for (const key of keys.toReversed()) await store.put(key, bytesOf(''));
    assertEqual(await keysOf(store, '/p/'), keys, 'the order');
  });
}

function definePagingTests({ check }: StoreSuite): void {
  check('pages with `after` and `limit` and counts what remains', async (store) => {
    for (let i = 0; i < 10; i++) await store.put(`/a/${i}`, bytesOf(''));
    await store.put('/b/1', bytesOf(''));
    const page = async (after: string | undefined, limit: number): Promise<[string[], number]> => {
      const { entries, remaining } = await store.range('/a/', { ...(after && { after }), limit });
      return [entries.map((entry) => entry.key), remaining];
    };
    assertEqual(await page(undefined, 3), [['/a/0', '/a/1', '/a/2'], 7], 'the first page');
    assertEqual(await page('/a/2', 3), [['/a/3', '/a/4', '/a/5'], 4], 'the second page');
    assertEqual(await page('/a/6', 3), [['/a/7', '/a/8', '/a/9'], 0], 'a last page that is full');
    assertEqual(await page('/a/7', 3), [['/a/8', '/a/9'], 0], 'a last page that is not full');
    assertEqual(await page('/a/9', 3), [[], 0], 'a page behind the last');
    assertEqual(await page('/a/55', 1), [['/a/6'], 3], 'a page behind a key that is absent');
    assertEqual(await page('/A', 1), [['/a/0'], 9], 'a page behind a key before the prefix');
    assertEqual(await page('/b/0', 1), [[], 0], 'a page behind a key after the prefix');
    assertEqual(await page(undefined, 0), [[], 10], 'a count');
  });

  check('pages over one revision while writes go on', async (store) => {
    for (let i = 0; i < 20; i++) await store.put(`/a/${10 + i}`, bytesOf(''));
    const { revision, entries, remaining } = await store.range('/a/', { limit: 7 });
    assertEqual(remaining, 13, 'what remains behind the first page');
    const keys = entries.map((entry) => entry.key);
    for (let i = 0; i < 20; i += 2) await store.delete(`/a/${10 + i}`);
    await store.put('/a/155', bytesOf(''));
    for (let rest = remaining; rest > 0; ) {
      const after = keys.at(-1) as string;
      const page = await store.range('/a/', { after, limit: 7, atRevision: revision });
      assertEqual(page.revision, revision, 'the revision of a later page');
      keys.push(...page.entries.map((entry) => entry.key));
      rest = page.remaining;
    }
    assertEqual(
      keys,
      Array.from({ length: 20 }, (_, i) => `/a/${10 + i}`),
      'all pages together',
    );
  });
}

/** Entries are selected by the last letter of their value. */
const byLetter: EntryIndex = {
  prefix: '/a/',
  termsOf: ({ value }) => [String.fromCharCode(value.at(-1) ?? 0)],
};

function defineSelectionTests({ check }: StoreSuite): void {
  check('gives what is selected, in pages of one revision', async (store) => {
    for (let i = 100; i < 300; i++) await store.put(`/a/${i}`, bytesOf(i % 20 === 0 ? 'x' : 'y'));
    const select = { conditions: [{ index: byLetter, anyOf: ['x', 'z'] }] };
    const first = await rangeSelected(store, '/a/', { select, limit: 4 });
    assertEqual(viewKeys(first), ['/a/100', '/a/120', '/a/140', '/a/160'], 'the first page');
    assertEqual(first.remaining, 139, 'the keys behind it');
    await store.put('/a/180', bytesOf('y'));
    await store.put('/a/181', bytesOf('z'));
    await store.delete('/a/200');
    const options = { select, after: '/a/160', atRevision: first.revision };
    const rest = await rangeSelected(store, '/a/', options);
    const keys = ['/a/180', '/a/200', '/a/220', '/a/240', '/a/260', '/a/280'];
    assertEqual([viewKeys(rest), rest.remaining], [keys, 0], 'the rest');
    const now = await rangeSelected(store, '/a/', { select, after: '/a/160' });
    assertEqual(viewKeys(now), ['/a/181', '/a/220', '/a/240', '/a/260', '/a/280'], 'what is selected now');
    const matches = ({ revision }: Entry): boolean => revision > first.revision;
    const late = await rangeSelected(store, '/a/', { select: { ...select, matches } });
    assertEqual(viewKeys(late), ['/a/181'], 'what matches beside');
  });
}

const viewKeys = ({ entries }: RangeResult): string[] => entries.map((entry) => entry.key);

function defineHistoryTests({ check, options, passTime }: StoreSuite): void {
  check('reads the state of every revision held', async (store) => {
    const base = await store.currentRevision();
    await store.put('/a/1', bytesOf('x'));
    await store.put('/a/2', bytesOf('y'));
    await store.put('/a/1', bytesOf('z'));
    await store.delete('/a/2');
    const at = async (n: number): Promise<(string | undefined)[]> =>
      viewEntries(await store.range('/a/', { atRevision: base + n }));
    assertEqual(await at(1), [`/a/1=x@${base + 1}`], 'the first state');
    assertEqual(await at(2), [`/a/1=x@${base + 1}`, `/a/2=y@${base + 2}`], 'the second state');
    assertEqual(await at(3), [`/a/1=z@${base + 3}`, `/a/2=y@${base + 2}`], 'the third state');
    assertEqual(await at(4), [`/a/1=z@${base + 3}`], 'the newest state');
    const future = await assertFails(() => at(5), FutureRevisionError, 'a state in the future');
    assertEqual([future.requested, future.current], [base + 5, base + 4], 'what the refusal tells');
  });

  check('rejects compacted revisions only', async (store) => {
    const { revision } = await store.put('/a/1', bytesOf('x'));
    await store.put('/a/1', bytesOf('y'));
    await store.put('/a/1', bytesOf('z'));
    await store.compact(revision + 1);
    const refusal = () => store.range('/a/', { atRevision: revision });
    const { requested, oldest } = await assertFails(refusal, RevisionCompactedError, 'a compacted state');
    assertEqual([requested, oldest], [revision, revision + 1], 'what the refusal tells');
    const retained = await store.range('/a/', { atRevision: revision + 1 });
    assertEqual(viewEntries(retained), [`/a/1=y@${revision + 1}`], 'the state compacted to');
    await store.compact(revision);
    await assertFails(() => store.compact(revision + 9), FutureRevisionError, 'compaction in the future');
  });

  const { historyMilliseconds } = options;
  if (historyMilliseconds === undefined) return;
  check('forgets a superseded state when its time is over, and never the newest', async (store, context) => {
    const { revision } = await store.put('/a/1', bytesOf('x'));
    await store.put('/a/1', bytesOf('y'));
    await passTime(historyMilliseconds / 2, context);
    const past = () => store.range('/a/', { atRevision: revision });
    assertEqual((await past()).entries.length, 1, 'the past before its time is over');
    await passTime(historyMilliseconds, context);
    await assertFails(past, RevisionCompactedError, 'the past when its time is over');
    const newest = await store.range('/a/', { atRevision: revision + 1 });
    assertThat(newest.entries.length === 1, 'the newest state has been forgotten');
  });
}
