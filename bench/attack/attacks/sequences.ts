import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import type { Attack, Target } from '../attack.ts';
import { awakeNow, whenAwakeFor } from '../awake-time.ts';
import { faultsBeside } from '../beside.ts';
import { ACCESS_REVIEWS } from '../bodies.ts';
import { bytesOf, frame, handWritten } from '../raw-http2.ts';
import { exchange, openSocket, requestBytes } from '../raw-request.ts';

const MAPS = '/api/v1/namespaces/tenant/configmaps';
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void whenAwakeFor(milliseconds, resolve));
/** Default shutdown time of a server. */
const GRACE_MILLISECONDS = 20_000;
const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault]);

function session(target: Target): ClientHttp2Session {
  const connection = connect(`https://127.0.0.1:${target.port}`, { rejectUnauthorized: false });
  connection.on('error', () => {});
  return connection;
}

/** Whether a get gets a response, and how fast. */
async function answersSoon(target: Target): Promise<readonly string[]> {
  const begun = awakeNow();
  const { status } = await target.send({
    path: '/readyz',
    headers: [target.credentials('operator')],
    patience: 5_000,
  });
  const milliseconds = awakeNow() - begun;
  return unless(
    status === 200 && milliseconds < 2_000,
    `readyz was ${status} after ${milliseconds.toFixed(0)} ms`,
  );
}

async function create(target: Target, name: string, data: object): Promise<number> {
  const headers = [target.credentials('tenant'), 'Content-Type: application/json'];
  const body = JSON.stringify({ metadata: { name }, data });
  return (await target.send({ method: 'POST', path: MAPS, headers, body, patience: 10_000 })).status;
}

/**
 * Writes a piece repeatedly for a second, as fast as possible, and measures its cost and the responses to
 * others.
 */
async function flood(target: Target, piece: (round: number) => Buffer): Promise<readonly string[]> {
  const socket = await handWritten(target);
  const end = awakeNow() + 1_000;
  for (let round = 0; awakeNow() < end && !socket.destroyed; round++) {
    if (!socket.write(piece(round)))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), pause(200)]);
  }
  const faults = await answersSoon(target);
  socket.destroy();
  const { grownMegabytes } = await target.measure.end();
  return [...faults, ...unless(grownMegabytes < 128, `grew by ${grownMegabytes.toFixed(0)} MB`)];
}

/** Keeps 200 requests open on each of twenty sessions, and measures how long others wait meanwhile. */
const crowd = (
  target: Target,
  request: (one: ClientHttp2Session, round: number) => ClientHttp2Stream,
): Promise<readonly string[]> =>
  faultsBeside(target, [
    // Node reads the first heads of all sessions in one turn
    { name: 'crowd', grownMegabytes: 128, longestTurn: 100, run: () => keepOpen(target, request) },
  ]);

async function keepOpen(
  target: Target,
  request: (one: ClientHttp2Session, round: number) => ClientHttp2Stream,
): Promise<readonly string[]> {
  const sessions = Array.from({ length: 20 }, () => session(target));
  let isOver = false;
  const sendNext = (one: ClientHttp2Session, round: number): void => {
    if (isOver || one.destroyed) return;
    const stream = request(one, round);
    stream.on('error', () => {});
    stream.on('close', () => sendNext(one, round + 1));
    stream.resume();
  };
  for (const one of sessions) for (let i = 0; i < 200; i++) sendNext(one, i);
  await pause(2_000);
  isOver = true;
  for (const one of sessions) one.destroy();
  return [];
}

/** `:method GET, :scheme https, :path /, :authority` from the static table, where the last is a string. */
const GET_HEAD = Buffer.concat([bytesOf(0x82, 0x87, 0x84, 0x41, 0x01), Buffer.from('h')]);

export const attacks: readonly Attack[] = [
  {
    name: 'headers beyond those that are read',
    sends: 'Impersonate-User behind 1,100 lines',
    async run(target) {
      const junk = Array.from({ length: 1_100 }, (_, i) => `x-${i}: 1`);
      const headers = [target.credentials('operator'), ...junk, 'Impersonate-User: nobody'];
      const { status } = await target.send({ path: `${MAPS}`, headers });
      return unless(status === 431 || status === 400, `answered ${status}`);
    },
  },
  {
    name: 'slots of bodies that never come',
    sends: '480 POSTs without body over two HTTP/2 connections, answered after a second',
    flags: ['--request-timeout', '1s'],
    async run(target) {
      const sessions = [session(target), session(target)];
      const [name, value] = target.credentials('tenant').split(': ') as [string, string];
      for (const one of sessions)
        for (let i = 0; i < 240; i++) {
          const stream = one.request({
            ':method': 'POST',
            ':path': MAPS,
            [name.toLowerCase()]: value,
            'content-type': 'application/json',
            'content-length': '1000',
          });
          stream.on('error', () => {});
          stream.resume();
        }
      await pause(3_000);
      const status = await create(target, 'after', {});
      for (const one of sessions) one.destroy();
      return unless(status === 201, `a write was answered ${status} when all of them were over`);
    },
  },
  {
    name: 'a database that is taken away',
    sends: 'unlink of the file under a running server, then writes',
    flags: ['--storage', 'sqlite:state.db'],
    async run(target) {
      const before = await create(target, 'before', {});
      rmSync(join(target.folder, 'state.db'));
      await pause(1_500);
      const after = await create(target, 'after', {});
      const { status } = await target.send({ path: '/readyz', headers: [target.credentials('operator')] });
      return [
        ...unless(before === 201, `the first write was answered ${before}`),
        ...unless(after >= 500, `a write into nothing was answered ${after}`),
        ...unless(status === 500, `readyz was ${status}`),
        ...unless(/state\.db|storage|database/i.test(target.log()), 'the log says nothing of it'),
      ];
    },
  },
  {
    name: 'watches that nobody reads',
    sends: '40 watches of a collection of 36 MB, of which nothing is read',
    async run(target) {
      for (let i = 0; i < 36; i++)
        await create(target, `large-${i}`, { a: randomBytes(500_000).toString('hex') });
      await target.measure.begin();
      const head = requestBytes({
        path: `${MAPS}?watch=1&timeoutSeconds=20`,
        headers: [target.credentials('tenant')],
      });
      const sockets = await Promise.all(Array.from({ length: 40 }, () => openSocket(target.port)));
      for (const socket of sockets) {
        socket.pause();
        socket.write(head);
      }
      await pause(3_000);
      const faults = await answersSoon(target);
      const { grownMegabytes } = await target.measure.end();
      for (const socket of sockets) socket.destroy();
      return [...faults, ...unless(grownMegabytes < 250, `grew by ${grownMegabytes.toFixed(0)} MB`)];
    },
  },
  {
    name: 'handshakes that never end',
    sends: 'a connection that says nothing',
    async run(target) {
      const socket = connectPlain({ port: target.port, host: '127.0.0.1' });
      socket.on('error', () => {});
      const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
      socket.resume();
      const isClosed = await Promise.race([closed, pause(15_000).then(() => false)]);
      socket.destroy();
      return unless(isClosed, 'it is open after 15 s');
    },
  },
  {
    name: 'pages of elsewhere',
    sends: 'requests with foreign Host and Origin, and a WebSocket, to the quick-start server',
    server: 'quick-start',
    async run(target) {
      const path = '/api/v1/namespaces';
      const host = await target.send({ path, bare: true, headers: ['Host: rebound.example'] });
      const origin = await target.send({ path, headers: ['Origin: https://elsewhere.example'] });
      const socket = await target.send({
        path: `${path}?watch=1`,
        patience: 1_000,
        headers: [
          'Origin: https://elsewhere.example',
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ],
      });
      const own = await target.send({ path, bare: true, headers: [`Host: 127.0.0.1:${target.port}`] });
      return [
        ...unless(host.status >= 400 && host.status < 500, `a foreign Host was answered ${host.status}`),
        ...unless(
          origin.status >= 400 && origin.status < 500,
          `a foreign Origin was answered ${origin.status}`,
        ),
        ...unless(socket.status !== 101, 'a WebSocket of a foreign page was opened'),
        ...unless(own.status === 200, `its own Host was answered ${own.status}`),
      ];
    },
  },
  {
    name: 'requests of two meanings',
    sends: 'HTTP/0.9, two Hosts, gzip before chunked',
    async run(target) {
      const raw = async (text: string): Promise<number> => {
        const socket = await openSocket(target.port);
        const { status } = await exchange(socket, Buffer.from(text), 2_000);
        socket.destroy();
        return status;
      };
      const old = await raw('GET /version\r\n\r\n');
      const ancient = await raw('GET /version HTTP/0.9\r\nHost: localhost\r\n\r\n');
      const hosts = await raw('GET /version HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
      const coded = await raw(
        `POST ${ACCESS_REVIEWS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      );
      const refused = (status: number): boolean =>
        status === 0 || (status >= 400 && status < 600 && status !== 403);
      return [
        ...unless(refused(old) && refused(ancient), `HTTP/0.9 was answered ${old}, ${ancient}`),
        ...unless(refused(hosts), `two Hosts were answered ${hosts}`),
        ...unless(refused(coded), `gzip, chunked was answered ${coded}`),
      ];
    },
  },
  {
    name: 'words that failures say',
    sends: 'valid JSON 9,990 deep, paths that fail',
    async run(target) {
      const deep = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${'{"a":'.repeat(9_980)}1${'}'.repeat(9_980)}}`;
      const headers = [target.credentials('tenant'), 'Content-Type: application/json'];
      const answers = [
        await target.send({ method: 'POST', path: MAPS, headers, body: deep }),
        await target.send({ method: 'POST', path: ACCESS_REVIEWS, headers, body: deep }),
        await target.send({
          method: 'PATCH',
          path: `${MAPS}/nobody`,
          headers: [target.credentials('tenant'), 'Content-Type: application/apply-patch+yaml'],
          body: deep,
        }),
      ];
      return answers.flatMap(({ status, body }) => [
        ...unless(
          !/call stack|packages\/|node:|\.[jt]s:\d/.test(body),
          `a response says ${body.slice(0, 300)}`,
        ),
        ...unless(status < 500, `answered ${status}`),
      ]);
    },
  },
  {
    name: 'rapid resets',
    sends: 'streams that are opened and reset at once',
    run: (target) =>
      flood(target, (round) => {
        const stream = 2 * round + 1;
        return Buffer.concat([frame(1, 5, stream, GET_HEAD), frame(3, 0, stream, bytesOf(0, 0, 0, 8))]);
      }),
  },
  {
    name: 'a crowd of small heads',
    sends: 'anonymous requests with junk in their heads, 200 at a time on each of twenty sessions',
    run: (target) =>
      crowd(target, (one, round) =>
        one.request({ ':path': `${MAPS}?a=${round}`, 'x-junk': randomBytes(64).toString('hex') }),
      ),
  },
  {
    name: 'a crowd of small bodies',
    sends: 'access reviews of a user, 200 at a time on each of twenty sessions',
    run: (target) => {
      const authorization = target.credentials('user').replace('Authorization: ', '');
      const head = {
        ':method': 'POST',
        ':path': ACCESS_REVIEWS,
        'content-type': 'application/json',
        authorization,
      };
      const body = JSON.stringify({ spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } });
      return crowd(target, (one) => one.request(head).end(body));
    },
  },
  {
    name: 'settings',
    sends: 'SETTINGS frames without end',
    run: (target) =>
      flood(target, () =>
        Buffer.concat(Array.from({ length: 100 }, () => frame(4, 0, 0, bytesOf(0, 3, 0, 0, 0, 100)))),
      ),
  },
  {
    name: 'pings',
    sends: 'PING frames without end',
    run: (target) =>
      flood(target, () => Buffer.concat(Array.from({ length: 100 }, () => frame(6, 0, 0, Buffer.alloc(8))))),
  },
  {
    name: 'continuations',
    sends: 'CONTINUATION frames without end',
    run: (target) =>
      flood(target, (round) =>
        round === 0 ? frame(1, 1, 1, GET_HEAD) : frame(9, 0, 1, Buffer.alloc(1_000, 'a')),
      ),
  },
  {
    name: 'windows',
    sends: '100 streams of a large document whose window is never opened',
    async run(target) {
      const [name, value] = target.credentials('user').split(': ') as [string, string];
      const one = connect(`https://127.0.0.1:${target.port}`, {
        rejectUnauthorized: false,
        settings: { initialWindowSize: 0 },
      });
      one.on('error', () => {});
      for (let i = 0; i < 100; i++)
        one.request({ ':path': '/openapi/v2', [name.toLowerCase()]: value }).on('error', () => {});
      await pause(1_500);
      const faults = await answersSoon(target);
      const { grownMegabytes } = await target.measure.end();
      one.destroy(undefined, constants.NGHTTP2_CANCEL);
      return [...faults, ...unless(grownMegabytes < 128, `grew by ${grownMegabytes.toFixed(0)} MB`)];
    },
  },
  {
    name: 'slow headers and bodies',
    sends: '400 connections, half a head or half a body each',
    async run(target) {
      const half = requestBytes({
        method: 'POST',
        path: ACCESS_REVIEWS,
        headers: [target.credentials('user'), 'Content-Type: application/json'],
        body: 'x'.repeat(1_000),
      });
      const sockets: Socket[] = [];
      for (let i = 0; i < 400; i++) {
        const socket = await openSocket(target.port);
        socket.write(half.subarray(0, i % 2 === 0 ? 60 : half.length - 500));
        sockets.push(socket);
      }
      const faults = await answersSoon(target);
      const status = await create(target, 'beside', {});
      for (const socket of sockets) socket.destroy();
      return [...faults, ...unless(status === 201 || status === 429, `a write was answered ${status}`)];
    },
  },
  {
    name: 'frames of a WebSocket',
    sends: 'a frame that says 4 GB, and fragments without end',
    async run(target) {
      const head = requestBytes({
        path: `${MAPS}?watch=1`,
        headers: [
          target.credentials('tenant'),
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ],
      });
      const huge = Buffer.concat([
        bytesOf(0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        Buffer.alloc(30_000_000),
      ]);
      const fragment = Buffer.concat([bytesOf(0x00, 0xfe, 0xff, 0xff, 0, 0, 0, 0), Buffer.alloc(65_535)]);
      const fragments = Buffer.concat([
        bytesOf(0x02, 0x80, 0, 0, 0, 0),
        ...Array.from({ length: 400 }, () => fragment),
      ]);
      for (const sent of [huge, fragments]) {
        const socket = await openSocket(target.port);
        socket.resume();
        socket.write(head);
        await pause(200);
        socket.write(sent);
        await pause(700);
        socket.destroy();
      }
      const faults = await answersSoon(target);
      const { grownMegabytes } = await target.measure.end();
      return [...faults, ...unless(grownMegabytes < 128, `grew by ${grownMegabytes.toFixed(0)} MB`)];
    },
  },
  {
    name: 'a signal to end under attack',
    sends: 'SIGTERM while twenty connections send 3 MB of YAML',
    ruins: true,
    async run(target) {
      const body = 'a: 1\n'.repeat(600_000);
      const headers = [target.credentials('user'), 'Content-Type: application/yaml'];
      const bytes = requestBytes({ method: 'POST', path: ACCESS_REVIEWS, headers, body });
      const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(target.port)));
      for (const socket of sockets) void exchange(socket, bytes, 30_000);
      await pause(500);
      const begun = awakeNow();
      const code = await target.end('SIGTERM', 2 * GRACE_MILLISECONDS);
      for (const socket of sockets) socket.destroy();
      const seconds = (awakeNow() - begun) / 1000;
      return unless(
        code === 0 && seconds <= GRACE_MILLISECONDS / 1000,
        `ended with ${code} after ${seconds.toFixed(1)} s`,
      );
    },
  },
];
