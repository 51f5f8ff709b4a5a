import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSteppedClock } from '@ashlar/core/testing';
import { afterAll, expect, it } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import { SqliteThread } from './sqlite-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'thread-'));
afterAll(() => rmSync(folder, { recursive: true }));
const clock = createSteppedClock(1_700_000_000_000);
const key = '/a';

it('opens the file of the store that takes it, the next of which gets another one', async () => {
  using thread = new SqliteThread();
  await sleep(50);
  const file = join(folder, 'taken.db');
  {
    await using store = await createSqliteStore({ file, clock, thread });
    await store.put(key, new Uint8Array([1]), { ifRevision: 0 });
    thread[Symbol.dispose]();
    await store.put('/b', new Uint8Array([2]), { ifRevision: 0 });
  }
  await using again = await createSqliteStore({ file, clock, thread });
  expect((await again.get(key))?.value).toEqual(new Uint8Array([1]));
});

it('ends when it is disposed of before a store takes it', async () => {
  const thread = new SqliteThread();
  thread[Symbol.dispose]();
  const other = thread.take();
  expect(other.threadId).toBeGreaterThan(0);
  await other.terminate();
});

it('is refused if it is none', async () => {
  const thread = {} as SqliteThread;
  await expect(createSqliteStore({ file: join(folder, 'none.db'), clock, thread })).rejects.toThrow(
    /^option "thread" of createSqliteStore must be a SqliteThread/,
  );
});
