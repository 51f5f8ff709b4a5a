// Run by faults.process.ts in a process of its own whose files may not grow beyond a limit: writes values
// of growing size until one fails, then small ones again, and prints the results in JSON.
import { createSqliteStore } from '@ashlar/storage-sqlite';

process.on('SIGXFSZ', () => {});
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  /** @type {(milliseconds: number, call: () => void) => { clear: () => void }} */
  setTimer: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds).unref();
    return { clear: () => clearTimeout(timer) };
  },
};
/** @type {string[]} */
const told = [];
const store = await createSqliteStore({
  file: process.argv[2] ?? '',
  clock,
  onFault: (fault) => told.push(fault ? `${fault.fault}: ${fault.message}` : 'well'),
});
const revisions = [];
let failed = 0;
for (let i = 0; failed === 0; i++) {
  try {
    revisions.push((await store.put(`/large/${i}`, new Uint8Array(100_000))).revision);
  } catch {
    failed++;
  }
}
// the log is full: its content goes to the database before anything else is written
const lost = await Promise.allSettled([
  store.put('/lost/1', new Uint8Array(500_000)),
  store.put('/lost/2', new Uint8Array(10)),
]);
const large = revisions.length;
for (let i = 0; i < 3; i++) revisions.push((await store.put(`/small/${i}`, new Uint8Array(10))).revision);
await store.check();
await store[Symbol.asyncDispose]();
console.log(JSON.stringify({ revisions, large, told, lost: lost.map(({ status }) => status) }));
