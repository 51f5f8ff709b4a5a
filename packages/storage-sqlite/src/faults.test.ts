import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSteppedClock } from '@ashlar/core/testing';
import { createObjectStore } from '@ashlar/storage';
import { afterAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import type { SqliteStore } from './sqlite-store.ts';
import type { SqliteStoreError } from './sqlite-store-error.ts';

const directory = mkdtempSync(join(tmpdir(), 'ashlar-faults-'));
afterAll(() => rmSync(directory, { recursive: true }));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Faulty extends AsyncDisposable {
  readonly file: string;
  readonly store: SqliteStore;
  readonly clock: ReturnType<typeof createSteppedClock>;
  /** The reported faults; undefined if writes succeed again. */
  readonly received: (string | undefined)[];
}

/** A store with one write, in a directory of its own. */
async function openFaulty(name: string): Promise<Faulty> {
  mkdirSync(join(directory, name));
  const file = join(directory, name, 'state.db');
  const clock = createSteppedClock(1_700_000_000_000);
  const received: (string | undefined)[] = [];
  const store = await createSqliteStore({ file, clock, onFault: (fault) => received.push(fault?.fault) });
  await store.put('/a', bytes('1'));
  return {
    file,
    store,
    clock,
    received: received,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function reopened(file: string): Promise<readonly string[]> {
  await using store = await createSqliteStore({ file, clock: createSteppedClock(1_700_000_000_000) });
  return (await store.range('')).entries.map(
    ({ key, revision, value }) => `${key}@${revision}=${new TextDecoder().decode(value)}`,
  );
}

const failureOf = async (work: unknown): Promise<SqliteStoreError> =>
  Promise.resolve(work).then(
    () => expect.fail('it has not failed'),
    (error) => error,
  );

describe('a deleted database file', () => {
  it('rejects writes with an error', async () => {
    await using faulty = await openFaulty('removed');
    const { file, store, received } = faulty;
    unlinkSync(file);
    const error = await failureOf(store.put('/a', bytes('2')));
    expect(error.fault).toBe('moved');
    expect(error.message).toBe(
      `the store ${file} takes no writes: the file has been removed, and what is written would be gone at the next start`,
    );
    await expect(store.check()).rejects.toThrow('the file has been removed');
    expect(store.currentRevision()).toBe(2);
    expect(new TextDecoder().decode((await store.get('/a'))?.value)).toBe('1');
    expect(received).toEqual(['moved']);
  });

  it('is detected without writes and checks', async () => {
    await using faulty = await openFaulty('unasked');
    unlinkSync(faulty.file);
    faulty.clock.advance(5000);
    await expect.poll(() => faulty.received).toEqual(['moved']);
  });

  it('is written again when it is restored', async () => {
    await using faulty = await openFaulty('back');
    const { file, store, received, clock } = faulty;
    renameSync(file, `${file}.away`);
    await failureOf(store.put('/a', bytes('2')));
    renameSync(`${file}.away`, file);
    clock.advance(1000);
    await expect.poll(() => received).toEqual(['moved', undefined]);
    expect(await store.put('/a', bytes('3'), { ifRevision: 2 })).toMatchObject({ ok: true, revision: 3 });
    await store[Symbol.asyncDispose]();
    expect(await reopened(file)).toEqual(['/a@3=3']);
  });

  it('is not written if another file has its name', async () => {
    await using faulty = await openFaulty('replaced');
    const { file, store } = faulty;
    writeFileSync(`${file}.other`, 'something else');
    renameSync(`${file}.other`, file);
    const error = await failureOf(store.delete('/a'));
    expect(error.message).toContain('takes no writes: another file has taken its place');
  });

  it('is reported to callers without its path, with a retry time', async () => {
    await using faulty = await openFaulty('objects');
    const { file, store, clock } = faulty;
    const codec = { encode: () => bytes('{"metadata":{}}'), decode: () => ({}) as never };
    const objects = createObjectStore(store, { codec, clock });
    unlinkSync(file);
    const update = objects.update('/b', () => ({ action: 'write', object: {} as never }));
    await expect(update).rejects.toMatchObject({
      code: 503,
      reason: 'ServiceUnavailable',
      message:
        'the storage takes no writes: the file has been removed, and what is written would be gone at the next start',
      details: { retryAfterSeconds: 1 },
    });
    const removal = objects.update('/a', () => ({ action: 'remove' }));
    await expect(removal).rejects.toMatchObject({ code: 503 });
  });
});

describe('a deleted write-ahead log', () => {
  it('is created anew, and nothing is lost', async () => {
    await using faulty = await openFaulty('log');
    const { file, store, received } = faulty;
    unlinkSync(`${file}-wal`);
    expect(await store.put('/b', bytes('2'))).toMatchObject({ ok: true, revision: 3 });
    expect(await store.put('/c', bytes('3'))).toMatchObject({ ok: true, revision: 4 });
    expect(received).toEqual(['log-removed', undefined]);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    await store[Symbol.asyncDispose]();
    expect(await reopened(file)).toEqual(['/a@2=1', '/b@3=2', '/c@4=3']);
  });

  it('is detected by a check', async () => {
    await using faulty = await openFaulty('log-checked');
    unlinkSync(`${faulty.file}-wal`);
    await faulty.store.check();
    expect(faulty.received).toEqual(['log-removed', undefined]);
    expect(statSync(`${faulty.file}-wal`).isFile()).toBe(true);
  });
});

it('creates its files for their owner only', async () => {
  await using faulty = await openFaulty('mode');
  for (const file of [faulty.file, `${faulty.file}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => statSync(`${faulty.file}-shm`)).toThrow('ENOENT');
});

it('does not release the lock of another store of this process', async () => {
  await using faulty = await openFaulty('twice');
  const { file, clock } = faulty;
  await expect(createSqliteStore({ file, clock })).rejects.toMatchObject({ fault: 'locked' });
  await faulty.store.check();
  expect(faulty.received).toEqual([]);
});

it.each([
  ['a directory that is not there', 'missing/a.db', 'its directory is not there'],
  ['a file in the place of the directory', 'file/a.db', 'its directory is not there'],
])('rejects %s with a sentence', async (_, name, sentence) => {
  writeFileSync(join(directory, 'file'), '');
  const file = join(directory, name);
  await expect(createSqliteStore({ file, clock: createSteppedClock() })).rejects.toThrow(
    `the store ${file} cannot be opened or written: ${sentence}`,
  );
});

it('stops checking the file when it is closed', async () => {
  const faulty = await openFaulty('closed');
  expect(faulty.clock.pending()).toEqual([5000]);
  await faulty.store[Symbol.asyncDispose]();
  expect(faulty.clock.pending()).toEqual([]);
  await expect(faulty.store.check()).rejects.toThrow('the store is closed');
});
