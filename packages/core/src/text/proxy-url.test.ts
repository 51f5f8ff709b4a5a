import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProxyUrl } from './proxy-url.ts';

describe('parseProxyUrl', () => {
  it.each([
    ['http://p', { scheme: 'http', host: 'p', port: 80 }],
    ['https://p/', { scheme: 'https', host: 'p', port: 443 }],
    ['http://p:3128', { scheme: 'http', host: 'p', port: 3128 }],
    ['socks5://[fd00::1]', { scheme: 'socks5', host: 'fd00::1', port: 1080 }],
    ['socks5h://127.0.0.1:1', { scheme: 'socks5h', host: '127.0.0.1', port: 1 }],
  ])('reads %s', (text, address) => {
    expect(parseProxyUrl(text)).toEqual({ ...address, credentials: undefined });
  });

  it.each([
    ['http://al:b%3Ac@p', { user: 'al', password: 'b:c' }],
    ['http://al@p', { user: 'al', password: '' }],
    ['socks5://:secret@p', { user: '', password: 'secret' }],
    ['socks5://%C3%BC@p', { user: 'ü', password: '' }],
  ])('reads the credentials of %s', (text, credentials) => {
    expect(parseProxyUrl(text).credentials).toEqual(credentials);
  });

  it.each([
    ['S3CRET', 'is not a URL'],
    ['http://u:S3CRET@', 'is not a URL'],
    ['ftp://u:S3CRET@p', 'is not an http, https or socks5 URL'],
    ['u:S3CRET@p', 'is not an http, https or socks5 URL'],
    ['socks5:S3CRET:1080', 'names no host'],
    ['http://u:S3CRET%zz@p', 'has a user or a password with a broken escape'],
    [
      `socks5://u:${'S3CRET'.repeat(50)}@p`,
      'has a user or a password of more than 255 bytes, which SOCKS cannot carry',
    ],
  ])('rejects %s without quoting it', (text, why) => {
    expect(() => parseProxyUrl(text)).toThrow(new Error(why));
  });

  it('parses or rejects every text', () => {
    const part = fc.constantFrom(
      'http:',
      'socks5:',
      '//',
      '@',
      ':',
      '%',
      '%41',
      '[',
      ']',
      '::1',
      'h',
      '/',
      '?',
      '#',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            const { host, port } = parseProxyUrl(text);
            expect([host === '', port >= 0]).toEqual([false, true]);
          } catch (error) {
            expect((error as Error).message).toMatch(/^(is|names|has) /);
          }
        },
      ),
    );
  });
});
