import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSteppedClock } from '@ashlar/core/testing';
import { createObjectStore } from '@ashlar/storage';
import { testKeyValueStore, testObjectStore } from '@ashlar/storage/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import type { SqliteStore } from './sqlite-store.ts';

const directory = mkdtempSync(join(tmpdir(), 'ashlar-sqlite-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = (name: string): string => join(directory, name);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const clock = createSteppedClock(1_700_000_000_000);

testKeyValueStore('SQLite store', ({ clock, id }) => createSqliteStore({ clock, file: path(`${id}.db`) }), {
  describe,
  test,
  historyMilliseconds: 300_000,
  runs: 20,
});

testObjectStore(
  'object store over the SQLite engine',
  async (context) => {
    const engine = await createSqliteStore({ clock: context.clock, file: path(`${context.id}.db`) });
    return {
      store: createObjectStore(engine, context),
      compact: (revision) => engine.compact(revision),
      dispose: async () => engine[Symbol.asyncDispose](),
    };
  },
  { describe, test },
);

/** Opens the store, and closes it after the callback. */
async function withStore<T>(
  file: string,
  run: (store: SqliteStore) => T | Promise<T>,
  more = {},
): Promise<T> {
  const store = await createSqliteStore({ file, clock, ...more });
  try {
    return await run(store);
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

/**
 * Queries the file in a separate process, since the library releases a file only when its statements are
 * collected.
 */
function query(file: string, sql: string): unknown {
  const script = `
    const database = new (require(process.argv[1]))(process.argv[2]);
    const statement = database.prepare(process.argv[3]);
    console.log(JSON.stringify(statement.reader ? statement.raw().all() : statement.run()));`;
  const library = createRequire(import.meta.url).resolve('libsql');
  const received = execFileSync(process.execPath, ['-e', script, library, file, sql], { encoding: 'utf8' });
  return JSON.parse(received);
}

describe('SQLite store on file', () => {
  test('preserves values of any content over a restart', async () => {
    const file = path('content.db');
    const values = [new Uint8Array(), bytes('x'), new Uint8Array(300_000).fill(200)];
    await withStore(file, async (store) => {
      for (const [i, value] of values.entries()) await store.put(`/ü/😀"'${i}`, value);
    });
    const found = await withStore(file, (store) => store.range('/ü/'));
    const { entries } = await found;
    expect(entries.map((entry) => [...entry.value])).toEqual(values.map((value) => [...value]));
  });

  test('stores only current values and the retained history', async () => {
    const file = path('trimmed.db');
    await withStore(file, async (store) => {
      for (let i = 0; i < 50; i++) await store.put(`/a/${i % 5}`, bytes(`${i}`));
      await store.delete('/a/0');
      clock.advance(600_000);
      await store.put('/a/1', bytes('late'));
      await store.put('/a/2', bytes('later'));
    });
    expect(query(file, 'SELECT trimmed, (SELECT count(*) FROM changes) FROM meta')).toEqual([[52, 6]]);
    await withStore(file, async (store) => {
      expect((await store.range('/a/')).entries.map((entry) => entry.key)).toEqual([
        '/a/1',
        '/a/2',
        '/a/3',
        '/a/4',
      ]);
      expect((await store.range('/a/1', { atRevision: 52 })).entries[0]?.revision).toBe(48);
      expect(() => store.range('', { atRevision: 51 })).toThrow('the oldest is 52');
    });
  });

  test('has a compaction on file when it is acknowledged', async () => {
    const file = path('compacted.db');
    await withStore(file, async (store) => {
      for (let i = 0; i < 9; i++) await store.put('/a', bytes(`${i}`));
      await store.delete('/a');
      await store.compact(11);
    });
    expect(query(file, 'SELECT count(*) FROM changes')).toEqual([[0]]);
    await withStore(file, async (store) => {
      expect(store.currentRevision()).toBe(11);
      expect(() => store.range('', { atRevision: 10 })).toThrow('revision 10 has been compacted');
      expect((await store.put('/a', bytes(''))).revision).toBe(12);
    });
  });

  test('discards history that became too old while it was closed, by the calendar', async () => {
    const file = path('aged.db');
    await withStore(file, async (store) => {
      await store.put('/a', bytes('1'));
      await store.put('/a', bytes('2'));
    });
    clock.advance(200_000);
    await withStore(file, (store) => expect(store.range('/a', { atRevision: 2 })).toBeDefined());
    clock.advance(200_000);
    await withStore(file, (store) =>
      expect(() => store.range('/a', { atRevision: 2 })).toThrow('the oldest is 3'),
    );
  });

  test('shows a write only when it is durable, and delays rejections until then', async () => {
    await withStore(path('visible.db'), async (store) => {
      const first = store.put('/a', bytes('1'), { ifRevision: 0 });
      const second = store.put('/a', bytes('2'), { ifRevision: 2 });
      const refused = store.put('/a', bytes('3'), { ifRevision: 2 });
      expect(store.get('/a')).toBeUndefined();
      expect(store.currentRevision()).toBe(1);
      const result = await refused;
      expect(result).toMatchObject({ ok: false, current: { revision: 3 } });
      expect(store.currentRevision()).toBe(3);
      expect(await Promise.all([first, second])).toMatchObject([{ revision: 2 }, { revision: 3 }]);
    });
  });

  test('completes writes in flight when it is disposed', async () => {
    const file = path('disposed.db');
    const store = await createSqliteStore({ file, clock });
    const writes = Array.from({ length: 100 }, (_, i) => store.put(`/a/${i}`, bytes('')));
    await store[Symbol.asyncDispose]();
    expect((await Promise.all(writes)).every((result) => result.ok)).toBe(true);
    await withStore(file, (again) => expect(again.currentRevision()).toBe(101));
  });

  test('fails everything in flight when the disk is full, and continues when there is room', async () => {
    const more = { maxFileBytes: 200_000 };
    await withStore(
      path('full.db'),
      async (store) => {
        await store.put('/a', bytes('small'));
        const large = store.put('/a', new Uint8Array(300_000), { ifRevision: 2 });
        const after = store.put('/b', bytes('on the same ground'));
        const refused = store.put('/a', bytes(''), { ifRevision: 2 });
        const outcomes = await Promise.allSettled([large, after, refused]);
        for (const outcome of outcomes) {
          expect(outcome).toMatchObject({
            status: 'rejected',
            reason: { name: 'SqliteStoreError', fault: 'full' },
          });
        }
        expect(store.currentRevision()).toBe(2);
        expect(await store.put('/a', bytes('again'), { ifRevision: 2 })).toMatchObject({
          ok: true,
          revision: 3,
        });
      },
      more,
    );
  });
});

test('makes room in a full file by discarding old history', async () => {
  const more = { maxFileBytes: 400_000, historyMilliseconds: 1000 };
  await withStore(
    path('room.db'),
    async (store) => {
      const fill = async (): Promise<number> => {
        for (let i = 0; ; i++) {
          const failure = await Promise.resolve(store.put('/a', new Uint8Array(20_000))).catch(
            (error) => error,
          );
          if (failure instanceof Error) return i;
        }
      };
      expect(await fill()).toBeGreaterThan(5);
      clock.advance(2000);
      await expect(store.put('/a', new Uint8Array(20_000))).rejects.toThrow('full');
      expect(await fill()).toBeGreaterThan(5);
    },
    more,
  );
});

describe('SQLite store that cannot be opened', () => {
  const refusal = async (file: string, more = {}): Promise<string> => {
    const error = await createSqliteStore({ file, clock, ...more }).catch((reason: Error) => reason);
    return (error as Error).message.replace(file, 'FILE');
  };

  test('rejects a second opener while it is open, and accepts one afterwards', async () => {
    const file = path('locked.db');
    await withStore(file, async () => {
      expect(await refusal(file)).toBe(
        'the store FILE is in use by another process, or by another store of this process',
      );
    });
    await withStore(file, (store) => expect(store.currentRevision()).toBe(1));
  });

  test('reports what is wrong with the file', async () => {
    writeFileSync(
      path('text.db'),
      'This is a text and no database, and it is long enough to be read. '.repeat(50),
    );
    expect(await refusal(path('text.db'))).toBe('the store FILE is not an SQLite database');
    expect(await refusal(path('missing/a.db'))).toMatch(/^the store FILE cannot be opened or written: /);
    query(path('foreign.db'), 'CREATE TABLE theirs (a)');
    expect(await refusal(path('foreign.db'))).toBe('the store FILE is a database of another application');
    await withStore(path('newer.db'), () => {});
    query(path('newer.db'), 'PRAGMA user_version = 2');
    expect(await refusal(path('newer.db'))).toBe(
      'the store FILE was written by a newer version: its format is 2, this version knows 1',
    );
  });

  test('reports a damaged file', async () => {
    const cut = path('cut.db');
    await withStore(cut, async (store) => {
      for (let i = 0; i < 200; i++) await store.put(`/a/${i}`, new Uint8Array(2000));
    });
    truncateSync(cut, 100_000);
    expect(await refusal(cut)).toMatch(/^the store FILE is damaged: /);
    const gap = path('gap.db');
    await withStore(gap, async (store) => {
      for (let i = 0; i < 9; i++) await store.put('/a', bytes(''));
    });
    query(gap, 'DELETE FROM changes WHERE revision = 5');
    expect(await refusal(gap)).toBe('the store FILE is damaged: revision 6 cannot follow revision 4');
  });
});

test.each<[string, object, string]>([
  [
    'no clock',
    { file: 'a.db' },
    'option "clock" of createSqliteStore must be a clock, such as nodeClock of @ashlar/http-node, not undefined',
  ],
  [
    'no file',
    { clock: { now: () => 0 } },
    'option "file" of createSqliteStore must be the path of a file, not undefined',
  ],
  [
    'a path in place of options',
    'a.db' as never,
    'createSqliteStore takes an object with options, not "a.db"',
  ],
  [
    'an option that is mistyped',
    { file: 'a.db', clocks: {} },
    'createSqliteStore has no option "clocks": did you mean "clock"?',
  ],
])('rejects %s', async (_, options, message) => {
  await expect(createSqliteStore(options as never)).rejects.toThrow(TypeError);
  await expect(createSqliteStore(options as never)).rejects.toThrow(message);
});
