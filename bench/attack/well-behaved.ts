// A harmless client, as a process of its own: well-behaved.ts PORT TLS PER_SECOND, the header line of its
// credentials as its first message. It gets one object repeatedly on four reused connections. `begin`
// starts a measurement, `end` returns it: how many gets were due and how many got a response, and the 99th
// percentile of their waits since they were due.
import type { Socket } from 'node:net';
import { awakeNow } from './awake-time.ts';
import { exchange, openSocket, requestBytes } from './raw-request.ts';

const [port = 0, tls = 1, perSecond = 100] = process.argv.slice(2).map(Number);
const CONNECTIONS = 4;
const PATH = '/api/v1/namespaces/default';

const waiting: number[] = [];
const idle: Socket[] = [];
let request: Uint8Array = new Uint8Array();
let waits: number[] = [];
let due = 0;
let begun = awakeNow();
let sent = 0;
let refused = 0;
let running = false;

async function open(): Promise<void> {
  idle.push(await openSocket(port, tls === 1));
  serve();
}

function serve(): void {
  while (idle.length > 0 && waiting.length > 0)
    void sendRequest(idle.pop() as Socket, waiting.shift() as number);
}

async function sendRequest(socket: Socket, since: number): Promise<void> {
  const { status } = await exchange(socket, request, 30_000);
  if (since >= begun) {
    if (status === 200) waits.push(awakeNow() - since);
    else refused++;
  }
  if (socket.destroyed) await open();
  else {
    idle.push(socket);
    serve();
  }
}

/** Requests become due at a steady rate, whatever happened to earlier ones. */
function keepPace(): void {
  if (!running) return;
  const target = ((awakeNow() - begun) * perSecond) / 1000;
  for (; sent < target; sent++) {
    due++;
    waiting.push(begun + (sent * 1000) / perSecond);
  }
  serve();
}

function begin(): void {
  waiting.length = 0;
  waits = [];
  due = 0;
  sent = 0;
  refused = 0;
  begun = awakeNow();
  running = true;
}

function end(): void {
  running = false;
  const now = awakeNow();
  // those without a response have waited until now at least
  const late = waiting.filter((since) => since >= begun).map((since) => now - since);
  const sorted = [...waits, ...late].sort((a, b) => a - b);
  const slowest = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
  process.send?.({ due, answered: waits.length, refused, slowest });
}

process.on('message', async ({ command, credentials }: { command: string; credentials?: string }) => {
  if (command === 'open') {
    request = requestBytes({ path: PATH, headers: [credentials ?? ''] });
    await Promise.all(Array.from({ length: CONNECTIONS }, open));
    setInterval(keepPace, 2);
    process.send?.({});
  } else if (command === 'begin') begin();
  else end();
});
process.on('disconnect', () => process.exit());
