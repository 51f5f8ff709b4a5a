// What the listener costs: npx tsx --conditions=@ashlar/source bench/http-node.ts [seconds]
// Requests of a fixed 1 KB buffer over TLS compared with bare node:https, and events to 500 watchers over
// TLS, all per CPU-second of the serving process. The caller is a process of its own. Rounds alternate:
// compare ratios only.
import { fork } from 'node:child_process';
import { createServer } from 'node:https';
import { connect } from 'node:tls';
import type { ByteSink } from '@ashlar/core';
import { listen } from '../packages/http-node/src/index.ts';
import { authority, server as serverTls } from '../packages/http-node/src/listener/certificates.fixture.ts';

const CONNECTIONS = 16;
const WATCHERS = 500;
const REQUEST =
  'GET /api/v1/namespaces/default/configmaps/a HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load/1\r\nAccept: application/json\r\nAuthorization: Bearer secret\r\nAccept-Encoding: gzip\r\n\r\n';

if (process.argv[2] === 'caller') call(process.argv[3] as string, Number(process.argv[4]));
else await measure(Number(process.argv[2] ?? 3));

/** Keeps one request in flight on each connection, or opens watchers and reads. */
function call(kind: string, port: number): void {
  const count = kind === 'watch' ? WATCHERS : CONNECTIONS;
  let open = 0;
  for (let i = 0; i < count; i++) {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: authority }, () => {
      socket.write(REQUEST);
      if (++open === count) process.send?.('open');
    });
    let left = 0;
    socket.on('data', (chunk: Buffer) => {
      if (kind === 'watch') return;
      if (left === 0) {
        const head = chunk.indexOf('\r\n\r\n');
        left = head + 4 + Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, head))?.[1]);
      }
      left -= chunk.length;
      if (left === 0) socket.write(REQUEST);
    });
  }
  process.on('message', () => process.exit());
}

async function measure(seconds: number): Promise<void> {
  const body = Buffer.alloc(1024, 120);
  let served = 0;
  const bare = createServer({ cert: serverTls.certificate, key: serverTls.key }, (_, response) => {
    served++;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const ours = await listen(
    async (request) => {
      served++;
      request.headers.get('authorization');
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
    { tls: serverTls },
  );
  const ports = {
    'bare node:https': (bare.address() as { port: number }).port,
    'http-node': (ours.address as { port: number }).port,
  };
  for (let round = 0; round < 3; round++) {
    for (const [name, port] of Object.entries(ports)) {
      const rate = await perCpuSecond('get', port, seconds, () => served);
      console.log(`${name.padEnd(20)} ${rate.toFixed(0)} requests per CPU-second`);
    }
  }
  for (const every of [0.5, 1, 5, 20]) await fanOut(every, seconds);
  process.exit();
}

async function perCpuSecond(
  kind: string,
  port: number,
  seconds: number,
  count: () => number,
): Promise<number> {
  const caller = fork(process.argv[1] as string, ['caller', kind, String(port)], {
    execArgv: process.execArgv,
  });
  await new Promise((resolve) => caller.once('message', resolve));
  await pause(300);
  const [before, cpu] = [count(), process.cpuUsage()];
  await pause(seconds * 1000);
  const used = process.cpuUsage(cpu);
  const rate = (count() - before) / ((used.user + used.system) / 1e6);
  caller.send('stop');
  await new Promise((resolve) => caller.once('exit', resolve));
  return rate;
}

/** One event of 1 KB at this interval, as far as the event loop keeps up, to all watchers. */
async function fanOut(everyMilliseconds: number, seconds: number): Promise<void> {
  const sinks = new Set<ByteSink>();
  const listener = await listen(
    async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: (sink) => {
        sinks.add(sink);
        sink.onClose(() => sinks.delete(sink));
      },
    }),
    { tls: serverTls },
  );
  let delivered = 0;
  let events = 0;
  let running = true;
  const started = performance.now();
  const push = (): void => {
    if (events * everyMilliseconds < performance.now() - started) {
      events++;
      const event = Buffer.alloc(1024, 120);
      for (const sink of sinks) if (sink.buffered < 4e6 && sink.write(event)) delivered++;
    }
    if (running && everyMilliseconds >= 2) setTimeout(push, everyMilliseconds);
    else if (running) setImmediate(push);
  };
  push();
  const { port } = listener.address as { port: number };
  const before = { events: 0, at: 0 };
  const rate = await perCpuSecond('watch', port, seconds, () => {
    if (before.at === 0) Object.assign(before, { events, at: performance.now() });
    return delivered;
  });
  const perSecond = (events - before.events) / ((performance.now() - before.at) / 1000);
  running = false;
  await listener.close({ graceMilliseconds: 0 });
  console.log(
    `fan-out to ${WATCHERS}, ${(1000 / everyMilliseconds).toFixed(0)} events/s wanted, ${perSecond.toFixed(0)} made: ${rate.toFixed(0)} deliveries per CPU-second`,
  );
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
