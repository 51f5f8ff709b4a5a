import type { Attack, SizedAttack } from '../attack.ts';
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

export const attacks: readonly Attack[] = [
  chunked('chunks of a byte', 'a body in chunks of one byte', 180_000, '1\r\n \r\n'),
  chunked(
    'chunks with extensions',
    'a body in chunks with extensions',
    20_000,
    `1;${'a'.repeat(40)}=b\r\n \r\n`,
  ),
  chunked('zeros before sizes', 'chunks whose size has many zeros', 40_000, `${'0'.repeat(14)}1\r\n \r\n`),
];
