// A process that sends requests over TLS on reused connections; forked by benches: tls-caller.ts PORT
// CONNECTIONS [PER_SECOND], the request as its first message; messages pause and resume it. Each connection
// has one request in flight; with PER_SECOND, that many are started in a second on all of them together.
// Reports the number of responses, and the status of the last one: at the first response, and for every
// message.
import { connect, type TLSSocket } from 'node:tls';

const [port = 0, connections = 1, perSecond = 0] = process.argv.slice(2).map(Number);
const idle: TLSSocket[] = [];
let answered = 0;
let status = '';
let request = '';
let resting = false;

function open(): void {
  // the server is on this machine, and generated its certificate for this run
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => next(socket));
  let left = 0;
  socket.on('data', (chunk: Buffer) => {
    if (left === 0) {
      const head = chunk.indexOf('\r\n\r\n');
      const lines = chunk.toString('latin1', 0, head);
      status = lines.slice(9, 12);
      left = head + 4 + Number(/content-length: (\d+)/i.exec(lines)?.[1] ?? 0);
    }
    left -= chunk.length;
    if (left > 0) return;
    if (++answered === 1) report();
    next(socket);
  });
}

function report(): void {
  process.send?.({ answered, status });
}

function next(socket: TLSSocket): void {
  if (perSecond > 0 || resting) idle.push(socket);
  else socket.write(request);
}

function rest(wanted: boolean): void {
  resting = wanted;
  if (!resting && perSecond === 0) for (const socket of idle.splice(0)) socket.write(request);
}

/** Starts as many as are due by now; those without a free connection are skipped. */
function keepPace(): void {
  let due = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    due = Math.min(due + ((now - last) * perSecond) / 1000, connections);
    last = now;
    if (resting) due = 0;
    for (; due >= 1; due--) idle.pop()?.write(request);
  }, 2);
}

process.on('message', (message: { readonly request?: string; readonly resting?: boolean }) => {
  if (message.resting !== undefined) {
    rest(message.resting);
    return;
  }
  if (message.request === undefined) {
    report();
    return;
  }
  request = message.request;
  for (let i = 0; i < connections; i++) open();
  if (perSecond > 0) keepPace();
});
