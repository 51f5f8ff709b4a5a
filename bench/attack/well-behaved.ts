// A harmless client, as a process of its own: well-behaved.ts PORT TLS PER_SECOND PID, the last of the server, and the
// header line of its credentials as its first message. It gets one object repeatedly on reused connections, of which
// there are enough that none has to wait for the response to another. `begin` starts a measurement, `end` returns
// it: how many gets were due and how many got a response, and the 99th percentile of their waits since they were
// due, without the time in which the server or this client waited for a processor.
import type { Socket } from 'node:net';
import { awakeNow } from './awake-time.ts';
import { QueuedTime } from './queued-time.ts';
import { exchange, openSocket, requestBytes } from './raw-request.ts';

const [port = 0, tls = 1, perSecond = 100, pid = 0] = process.argv.slice(2).map(Number);
const CONNECTIONS = 32;
const PATH = '/api/v1/namespaces/default';

/** A get that is due. */
interface Due {
  readonly since: number;
  /** The times in which processes had waited for a processor until shortly before. */
  readonly queued: readonly number[];
}

const queuedTime = new QueuedTime([pid, 'self']);
let lastQueued = queuedTime.now();
const waiting: Due[] = [];
/** All that have no response, those that wait for a connection too. */
const pending = new Set<Due>();
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
    void sendRequest(idle.pop() as Socket, waiting.shift() as Due);
}

async function sendRequest(socket: Socket, due: Due): Promise<void> {
  const { status } = await exchange(socket, request, 30_000);
  pending.delete(due);
  if (due.since >= begun) {
    if (status === 200) waits.push(waitOf(due));
    else refused++;
  }
  if (socket.destroyed) await open();
  else {
    idle.push(socket);
    serve();
  }
}

const waitOf = ({ since, queued }: Due): number => Math.max(0, awakeNow() - since - queuedTime.since(queued));

/** Requests become due at a steady rate, whatever happened to earlier ones. */
function keepPace(): void {
  if (!running) return;
  const queued = lastQueued;
  lastQueued = queuedTime.now();
  const target = ((awakeNow() - begun) * perSecond) / 1000;
  for (; sent < target; sent++) {
    due++;
    const get = { since: begun + (sent * 1000) / perSecond, queued };
    waiting.push(get);
    pending.add(get);
  }
  serve();
}

function begin(): void {
  waiting.length = 0;
  pending.clear();
  waits = [];
  due = 0;
  sent = 0;
  refused = 0;
  begun = awakeNow();
  lastQueued = queuedTime.now();
  running = true;
}

function end(): void {
  running = false;
  // those without a response have waited until now at least
  const late = [...pending].map(waitOf);
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
