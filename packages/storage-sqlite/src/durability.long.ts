import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { KeyValueEvent } from '@ashlar/storage';
import { afterAll, expect, test } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import type { SqliteStore } from './sqlite-store.ts';

const ROUNDS = 30;
/** Acknowledged writes to wait for in each round, before some more milliseconds and the kill. */
const WRITES = 200;

const directory = mkdtempSync(join(tmpdir(), 'ashlar-durability-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'store.db');
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (milliseconds: number, call: () => void) => {
    const timer = setTimeout(call, milliseconds);
    return { clear: () => clearTimeout(timer) };
  },
};

/** Acknowledged writes of all rounds, as `key text` by revision. */
const written = new Map<number, string>();

/** A writer that waits for its start. */
function spawnWriter(round: number): ChildProcessWithoutNullStreams {
  const require = createRequire(import.meta.url);
  const source = ['--conditions=@ashlar/source', '--import', pathToFileURL(require.resolve('tsx')).href];
  const script = fileURLToPath(new URL('./durability-writer.mjs', import.meta.url));
  const options = process.env.ASHLAR_BUILT ? [] : source;
  return spawn(process.execPath, [...options, script, file, String(round)]);
}

/** Runs a writer, kills it in the middle, and returns the lines of its acknowledged writes. */
function writeAndKill(child: ChildProcessWithoutNullStreams, round: number): Promise<string[]> {
  child.stdin.write('go');
  let output = '';
  let lines = 0;
  return new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      lines += text.split('\n').length - 1;
      // An odd delay, so that kills hit every phase of a commit.
      if (lines >= WRITES) setTimeout(() => child.kill('SIGKILL'), (round * 7) % 23);
    });
    // An incomplete last line does not count.
    child.on('close', () => resolve(output.split('\n').slice(0, -1)));
  });
}

/** Every revision is printed once: it must be the same in all later rounds. */
function remember(revision: number, text: string): void {
  expect(written.get(revision) ?? text, `what revision ${revision} wrote`).toBe(text);
  written.set(revision, text);
}

/** All changes since a revision, from a watch that resumes there. */
async function resume(store: SqliteStore, afterRevision: number): Promise<KeyValueEvent[]> {
  const received: KeyValueEvent[] = [];
  const observer = {
    events: (batch: readonly KeyValueEvent[]) => received.push(...batch),
    error: (error: Error) => expect.fail(error.message),
  };
  const watch = store.watch('', { afterRevision }, observer);
  await new Promise((resolve) => setTimeout(resolve, 0));
  watch[Symbol.dispose]();
  return received;
}

const textOf = ({ key, entry }: KeyValueEvent): string =>
  `${key} ${entry ? new TextDecoder().decode(entry.value).replace(/\.+$/, '') : '-'}`;

test(`preserves acknowledged writes through ${ROUNDS} kills`, { timeout: 120_000 }, async () => {
  let seen = 1;
  let next = spawnWriter(0);
  for (let round = 0; round < ROUNDS; round++) {
    const writer = next;
    if (round + 1 < ROUNDS) next = spawnWriter(round + 1);
    const acknowledged = await writeAndKill(writer, round);
    expect(acknowledged.length).toBeGreaterThanOrEqual(WRITES);
    const store = await createSqliteStore({ file, clock });
    const current = await store.currentRevision();
    const events = await resume(store, seen);
    expect(events.map((event) => event.revision)).toEqual(
      Array.from({ length: current - seen }, (_, i) => seen + 1 + i),
    );
    for (const event of events) remember(event.revision, textOf(event));
    for (const line of acknowledged) {
      const [, revision = '', text = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
      expect(written.get(Number(revision)), `the acknowledged write ${line}`).toBe(text);
    }
    checkState(await store.range(''), events);
    seen = current;
    await store[Symbol.asyncDispose]();
  }
  expect(seen).toBeGreaterThan(ROUNDS * WRITES);
});

/** The newest event of each key matches its value. */
function checkState(
  { entries }: { readonly entries: readonly { readonly key: string; readonly revision: number }[] },
  events: readonly KeyValueEvent[],
): void {
  const held = new Map(entries.map(({ key, revision }) => [key, revision]));
  const newest = new Map(events.map((event) => [event.key, event]));
  for (const [key, event] of newest) {
    expect(held.get(key), `the revision of ${key}`).toBe(event.entry ? event.revision : undefined);
  }
}

test('another process is rejected while the file is open', async () => {
  const store = await createSqliteStore({ file, clock });
  const child = spawnWriter(ROUNDS);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.write('go');
  await new Promise((resolve) => child.on('close', resolve));
  expect(errors).toContain('is in use by another process');
  await store[Symbol.asyncDispose]();
});
