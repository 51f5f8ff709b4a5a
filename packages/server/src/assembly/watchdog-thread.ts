/** Places of the 32-bit numbers that the threads share; the texts of requests follow them. */
export const PLACES = { heartbeat: 0, isClosed: 1, entered: 2, endBefore: 3, reports: 4 } as const;
/** Bytes before the texts. */
export const HEAD_BYTES = 32;
/** Requests that are remembered: those that came last. */
export const REQUESTS = 4;
/** Bytes of a request's text; the first says how many there are. */
export const REQUEST_BYTES = 128;
/** How often the loop shows that it turns, and the thread looks. */
export const BEAT_MILLISECONDS = 100;

/**
 * What the thread runs. It is a text because a thread takes a file or a text, and what is built has other files than the sources. It
 * counts its own turns, not the time: where the whole process stood still, the loop is not to blame. It writes past the streams of
 * `process`, which the blocked loop would have to serve, and sends a signal that needs no loop to be heard.
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
  return texts.length === 0 ? 'no request has come' : 'the last requests, the latest first: ' + texts.join(', ');
};
const end = (why) => {
  write(why + ': the process is ended; ' + requests());
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
  else if (left > 0 && --left === 0) end('the server has not ended within its grace');
}
`;
