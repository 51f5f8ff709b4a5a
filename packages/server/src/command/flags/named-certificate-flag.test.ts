import { describe, expect, it } from 'vitest';
import { parseFlags } from './flags.ts';
import { serveFlags } from './serve-flags.ts';

const parse = (...words: string[]) => parseFlags(serveFlags, words)['tls-sni-cert-key'];

describe('--tls-sni-cert-key', () => {
  it('names files, and the names that they are for', () => {
    expect(
      parse('--tls-sni-cert-key', 'a.crt,a.key', '--tls-sni-cert-key= b.crt , b.key : x.org , *.y.org'),
    ).toEqual([
      { certificateFile: 'a.crt', keyFile: 'a.key' },
      { certificateFile: 'b.crt', keyFile: 'b.key', names: ['x.org', '*.y.org'] },
    ]);
  });

  it.each([
    ['a.crt', 'expected comma separated certificate and key file paths'],
    ['a.crt,', 'expected comma separated certificate and key file paths'],
    ['a,b,c:x', 'expected comma separated certificate and key file paths'],
    ['a,b:', 'empty names list is not allowed'],
  ])('refuses %s', (argument, message) => {
    expect(() => parse('--tls-sni-cert-key', argument)).toThrow(`flag --tls-sni-cert-key: ${message}`);
  });
});
