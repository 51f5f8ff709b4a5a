import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, bench, describe } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';

const directory = mkdtempSync(join(tmpdir(), 'ashlar-bench-'));
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (milliseconds: number, call: () => void) => {
    const timer = setTimeout(call, milliseconds);
    return { clear: () => clearTimeout(timer) };
  },
};
const store = await createSqliteStore({ file: join(directory, 'bench.db'), clock });
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const SIZE = 20_000;
const value = new Uint8Array(1024).fill(65);
let i = 0;
/** The next key, far from the one before. */
const next = (): string => {
  i += 7919;
  return `/pods/default/pod-${i % SIZE}`;
};
await Promise.all(Array.from({ length: SIZE }, () => store.put(next(), value)));

/** This many concurrent puts of 1 KB, each durable when it is acknowledged. */
const put = (inFlight: number) => async (): Promise<void> => {
  await Promise.all(Array.from({ length: inFlight }, () => store.put(next(), value)));
};

describe('durable puts of 1 KB', () => {
  for (const inFlight of [1, 16, 64, 256]) bench(`${inFlight} in flight`, put(inFlight));
});

describe('reads', () => {
  const read = (): void => {
    store.get(next());
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let writing = false;
  const write = async (): Promise<void> => {
    while (writing) await store.put(next(), value);
  };
  const busy = {
    setup: () => {
      writing = true;
      for (let writer = 0; writer < 16; writer++) void write();
    },
    teardown: () => {
      writing = false;
    },
  };
  bench('get', read);
  bench('a turn of the event loop with a get, idle', () => turn().then(read));
  bench('a turn of the event loop with a get, 16 writers', () => turn().then(read), busy);
});
