/** Places of the 32-bit numbers that the threads share; the texts of requests follow them. */
export const PLACES = { heartbeat: 0, isClosed: 1, entered: 2, endBefore: 3, reports: 4 } as const;
/** Bytes before the texts. */
export const HEAD_BYTES = 32;
/** Number of recent requests that are recorded. */
export const REQUESTS = 4;
/** Bytes for the text of a request; the first holds its length. */
export const REQUEST_BYTES = 128;
/** Interval of the event loop's heartbeat, and of the thread's check. */
export const BEAT_MILLISECONDS = 100;

/**
 * Source of the thread. It is a string because a worker runs a file or a string, and the file names differ between sources and build. It
 * counts its own checks instead of measuring time, so that a suspended process is not reported. It writes directly to the file descriptor
 * instead of the streams of `process`, which need the event loop, and sends SIGKILL, which does not.
 */
export const watchdogThread = `
const { writeSync } = require('node:fs');
const { workerData: { shared, reportBeats, endBeats, places, sizes } } = require('node:worker_threads');
const numbers = new Int32Array(shared, 0, sizes.head / 4);
const bytes = new Uint8Array(shared);
let seen = -1;
let beats = 0;
let left = 0;
const write = (text) => {
  try { writeSync(2, 'ashlar: ' + text + '\\n'); } catch {}
};
const seconds = () => (beats * sizes.beat / 1000).toFixed(1) + ' s';
const requests = () => {
  const count = Atomics.load(numbers, places.entered);
  const texts = [];
  for (let i = count; i > Math.max(0, count - sizes.requests); i--) {
    const at = sizes.head + ((i - 1) % sizes.requests) * sizes.request;
    texts.push(JSON.stringify(Buffer.from(bytes.slice(at + 1, at + 1 + bytes[at])).toString().split('?')[0]));
  }
  return texts.length === 0 ? 'no request was received' : 'the last requests, latest first: ' + texts.join(', ');
};
const end = (why) => {
  write(why + ': killing the process; ' + requests());
  process.kill(process.pid, 'SIGKILL');
};
while (Atomics.wait(numbers, places.isClosed, 0, sizes.beat) === 'timed-out') {
  const heartbeat = Atomics.load(numbers, places.heartbeat);
  beats = heartbeat === seen ? beats + 1 : 0;
  seen = heartbeat;
  if (beats === reportBeats) {
    Atomics.add(numbers, places.reports, 1);
    write('the event loop has been blocked for ' + seconds() + '; ' + requests());
  }
  if (endBeats > 0 && beats >= endBeats) end('the event loop has been blocked for ' + seconds());
  const ordered = Atomics.exchange(numbers, places.endBefore, 0);
  if (ordered > 0) left = ordered;
  else if (left > 0 && --left === 0) end('the server did not stop within its grace period');
}
`;
