import type { Attack, SizedAttack, Target } from '../attack.ts';
import { awakeNow } from '../awake-time.ts';
import { faultsBeside } from '../beside.ts';
import { ACCESS_REVIEWS } from '../bodies.ts';
import { frame, handWritten, headerBlock } from '../raw-http2.ts';

/** A body of spaces around an object, in chunks that are all the same. */
function chunked(name: string, sends: string, n: number, chunk: string): SizedAttack {
  return {
    name,
    sends,
    n,
    caller: 'user',
    request: (size) => ({
      method: 'POST',
      path: ACCESS_REVIEWS,
      headers: ['Host: localhost', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
      bare: true,
      body: `${chunk.repeat(size)}2\r\n{}\r\n0\r\n\r\n`,
    }),
  };
}

/** Requests without bodies, sent together. */
function pipelined(
  name: string,
  sends: string,
  n: number,
  headers: (target: Target) => readonly string[],
): SizedAttack {
  const path = '/api/v1/namespaces/tenant';
  return {
    name,
    sends,
    n,
    crowd: true,
    request: (size, target) => {
      const lines = headers(target);
      const head = `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
      return { path, headers: lines, bare: true, body: head.repeat(size - 1), responses: size };
    },
  };
}

const ATTACK_MILLISECONDS = 1_000;

/** A request whose body comes in frames of a byte, as many as the window of a connection allows. */
function smallFrames(target: Target, stream: number): Buffer {
  const authorization = target.credentials('user').replace('Authorization: ', '');
  const head = {
    ...{ ':method': 'POST', ':scheme': 'https', ':path': ACCESS_REVIEWS, ':authority': 'localhost' },
    ...{ 'content-type': 'application/json', authorization },
  };
  const piece = frame(0, 0, stream, Buffer.from(' '));
  return Buffer.concat([
    frame(1, 4, stream, headerBlock(head)),
    ...Array.from({ length: 60_000 }, () => piece),
  ]);
}

/** Requests of that kind, over and over, on each of twenty sessions. */
async function crowdOfSmallFrames(target: Target): Promise<readonly string[]> {
  const end = awakeNow() + ATTACK_MILLISECONDS;
  // a session ends with its first body: to build it anew would take this process longer than the server to read it
  const first = smallFrames(target, 1);
  const member = async (): Promise<void> => {
    while (awakeNow() < end) {
      const socket = await handWritten(target);
      for (let stream = 1; awakeNow() < end && !socket.destroyed; stream += 2) {
        if (socket.write(stream === 1 ? first : smallFrames(target, stream))) continue;
        await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 20 }, member));
  return [];
}

export const attacks: readonly Attack[] = [
  chunked('chunks of a byte', 'a body in chunks of one byte', 180_000, '1\r\n \r\n'),
  chunked(
    'chunks with extensions',
    'a body in chunks with extensions',
    20_000,
    `1;${'a'.repeat(40)}=b\r\n \r\n`,
  ),
  chunked('zeros before sizes', 'chunks whose size has many zeros', 40_000, `${'0'.repeat(14)}1\r\n \r\n`),
  pipelined('pipelined requests', 'gets of an object, sent together', 250, (target) => [
    'Host: localhost',
    target.credentials('tenant'),
  ]),
  pipelined('pipelined small requests', 'anonymous requests of 50 bytes, sent together', 500, () => [
    'Host: a',
  ]),
  {
    name: 'frames of a byte',
    sends: 'bodies in DATA frames of one byte, over and over on each of twenty HTTP/2 sessions',
    run: (target) =>
      faultsBeside(target, [{ name: 'frames', grownMegabytes: 128, run: () => crowdOfSmallFrames(target) }]),
  },
];
