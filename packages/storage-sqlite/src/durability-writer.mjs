// Run by durability.long.ts in a process of its own, and killed there: writes endlessly and prints every
// acknowledged write,
// one line each: revision, key, and the value or "-" for a delete.
import { writeSync } from 'node:fs';
import { createSqliteStore } from '@ashlar/storage-sqlite';

const [file = '', round = ''] = process.argv.slice(2);
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  /** @type {(milliseconds: number, call: () => void) => { clear: () => void }} */
  setTimer: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return { clear: () => clearTimeout(timer) };
  },
};
// Started early, since starting takes longest.
await new Promise((resolve) => process.stdin.once('data', resolve));
const store = await createSqliteStore({ file, clock });

/** @param {number} writer */
async function write(writer) {
  for (let n = 0; ; n++) {
    const key = `/k/${Math.floor(Math.random() * 20)}`;
    const current = await store.get(key);
    const condition = { ifRevision: current?.revision ?? 0 };
    const text = current && n % 4 === 3 ? '-' : `${round}.${writer}.${n}`;
    const result =
      text === '-'
        ? await store.delete(key, condition)
        : await store.put(key, new TextEncoder().encode(text.padEnd(200, '.')), condition);
    if (result.ok) writeSync(1, `${result.revision} ${key} ${text}\n`);
  }
}

for (let writer = 0; writer < 8; writer++) void write(writer);
