import type { Attack, SizedAttack, Target } from '../attack.ts';
import { ACCESS_REVIEWS } from '../bodies.ts';

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
];
