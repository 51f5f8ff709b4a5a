import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseParser } from './response-parser.ts';

/** Reads a response that arrives in pieces. */
function read(pieces: readonly string[]): { parser: ResponseParser; body: string } {
  const parser = new ResponseParser();
  let body = '';
  for (const piece of pieces)
    parser.push(Buffer.from(piece, 'latin1'), (bytes) => {
      body += bytes.toString('latin1');
    });
  return { parser, body };
}

const KNOWN = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-A: 1\r\nx-a:  2 \r\n\r\nbody';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nbo\r\n0002\r\ndy\r\n0\r\nTrailer: x\r\n\r\n';

describe('ResponseParser', () => {
  it('reads head and body', () => {
    const { parser, body } = read([KNOWN]);
    expect(parser.head).toMatchObject({ status: 200, headers: { 'x-a': '1, 2' }, keepsAlive: true });
    expect([body, parser.isComplete, parser.hasSurplus]).toEqual(['body', true, false]);
  });

  it.each([KNOWN, CHUNKED, `HTTP/1.1 100 Continue\r\n\r\n${KNOWN}`])('reads %j however it is cut', (text) => {
    const cuts = fc.array(fc.nat(text.length), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (places) => {
        const at = [0, ...places.sort((a, b) => a - b), text.length];
        const { parser, body } = read(at.slice(1).map((end, i) => text.slice(at[i], end)));
        expect([parser.head?.status, body, parser.isComplete, parser.hasSurplus]).toEqual([
          ...[200, 'body', true, false],
        ]);
      }),
    );
  });

  it.each([
    ['HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n', ''],
    ['HTTP/1.1 304\r\n\r\n', ''],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', ''],
    ['HTTP/1.1 200 \r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx', 'x'],
  ])('%j is complete', (text, expected) => {
    const { parser, body } = read([text]);
    expect([body, parser.isComplete, parser.head?.keepsAlive]).toEqual([expected, true, true]);
  });

  it.each([
    'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  ])('the connection of %j is not used again', (text) => {
    expect(read([text]).parser.head?.keepsAlive).toBe(false);
  });

  it('reads a body to the end of the connection', () => {
    const { parser, body } = read(['HTTP/1.1 200 OK\r\n\r\n', 'a', 'b']);
    expect([body, parser.isComplete, parser.end(), parser.head?.keepsAlive]).toEqual([
      'ab',
      false,
      true,
      false,
    ]);
  });

  it('a body that is shorter than announced is not complete', () => {
    expect(read([KNOWN.slice(0, -1)]).parser.end()).toBe(false);
    expect(read([CHUNKED.slice(0, -1)]).parser.end()).toBe(false);
  });

  it('notices what follows the response', () => {
    expect(read([`${KNOWN}x`]).parser.hasSurplus).toBe(true);
    expect(read([`${CHUNKED}x`]).parser.hasSurplus).toBe(true);
    expect(read([KNOWN, 'HTTP/1.1 200 OK\r\n\r\n']).parser.hasSurplus).toBe(true);
  });

  it.each([
    'HTTP/2 200 OK\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'hello\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA : b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\nc: d\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n',
    `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(17_000)}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(17_000)}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(5000)}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(5000)}`,
  ])('refuses %j', (text) => {
    expect(() => read([text])).toThrow(/malformed HTTP response/);
  });

  it('hands on small chunks together', () => {
    const parser = new ResponseParser();
    const pieces: string[] = [];
    const push = (text: string): void =>
      parser.push(Buffer.from(text, 'latin1'), (piece) => void pieces.push(piece.toString('latin1')));
    push('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    push('1\r\nb\r\n'.repeat(10_000));
    push(`3\r\ncde\r\n1f4\r\n${'f'.repeat(500)}\r\n1`);
    push('\r\ng\r\n0\r\n\r\n');
    expect(pieces).toEqual(['a', 'b'.repeat(10_000), `cde${'f'.repeat(500)}`, 'g']);
    expect(parser.isComplete).toBe(true);
  });
});
