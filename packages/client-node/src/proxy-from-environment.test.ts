import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyFromEnvironment } from './proxy-from-environment.ts';

const HTTPS_PROXY = 'http://p:3128';

describe('proxyFromEnvironment', () => {
  it.each([
    ['https://h', { HTTPS_PROXY: 'http://s', HTTP_PROXY: 'http://p' }, 'http://s'],
    ['http://h', { HTTPS_PROXY: 'http://s', HTTP_PROXY: 'http://p' }, 'http://p'],
    ['https://h', { https_proxy: 'socks5://s' }, 'socks5://s'],
    ['https://h', { HTTPS_PROXY: 'https://s', https_proxy: 'http://t' }, 'https://s'],
    ['https://h', { HTTPS_PROXY: 'p:3128' }, 'http://p:3128'],
    ['https://h', { HTTPS_PROXY: 'user:pass@p' }, 'http://user:pass@p'],
    ['https://h', { HTTP_PROXY: 'http://p' }, undefined],
    ['https://h', { HTTPS_PROXY: '' }, undefined],
    ['https://h', {}, undefined],
  ])('returns for %s with %j', (server, environment, proxy) => {
    expect(proxyFromEnvironment(environment, server)).toBe(proxy);
  });

  it.each([
    ['*', 'https://h'],
    ['other, h ', 'https://H:6443'],
    ['h.example', 'https://a.h.example'],
    ['.h.example', 'https://a.h.example'],
    ['*.h.example', 'https://a.h.example'],
    ['h:6443', 'https://h:6443'],
    ['h:443', 'https://h'],
    ['h:', 'https://h:6443'],
    ['bücher.example', 'https://bücher.example'],
    ['10.1.2.3', 'https://10.1.2.3'],
    ['10.0.0.0/8', 'https://10.1.2.3:6443'],
    ['fd00::/8', 'https://[fd00::1]:6443'],
    ['[fd00::1]:6443', 'https://[fd00::1]:6443'],
    ['fd00::1', 'https://[fd00:0::1]'],
    ['', 'https://localhost:6443'],
    ['', 'https://127.0.0.1:6443'],
    ['', 'https://127.1.2.3'],
    ['', 'https://[::1]:6443'],
  ])('NO_PROXY of %j excepts %s', (noProxy, server) => {
    expect(proxyFromEnvironment({ HTTPS_PROXY, NO_PROXY: noProxy }, server)).toBeUndefined();
    expect(proxyFromEnvironment({ HTTPS_PROXY, no_proxy: noProxy }, server)).toBeUndefined();
  });

  it.each([
    ['example', 'https://an-example'],
    ['.h.example', 'https://h.example'],
    ['h:6443', 'https://h'],
    ['*h', 'https://a-h'],
    ['10.0.0.0/8', 'https://11.1.2.3'],
    ['10.0.0.0/33', 'https://10.1.2.3'],
    ['10.0.0.0/', 'https://10.1.2.3'],
    ['10.0.0.0/8', 'https://[fd00::1]'],
    ['10.1.2.3', 'https://name-of-10.1.2.3.example'],
    [',.,*.', 'https://h'],
  ])('NO_PROXY of %j does not except %s', (noProxy, server) => {
    expect(proxyFromEnvironment({ HTTPS_PROXY, NO_PROXY: noProxy }, server)).toBe(HTTPS_PROXY);
  });

  it.each([
    ['ftp://u:S3CRET@p', 'HTTPS_PROXY is not an http, https or socks5 URL'],
    ['http://u:S3CRET@', 'HTTPS_PROXY is not a URL'],
    ['u:S3CRET%zz@p', 'HTTPS_PROXY has a user or a password with a broken escape'],
  ])('rejects %j without quoting it', (value, message) => {
    const ask = () => proxyFromEnvironment({ HTTPS_PROXY: value }, 'https://h');
    expect(ask).toThrow(expect.objectContaining({ name: 'ClientConfigurationError', message }));
  });

  it('accepts any exceptions', () => {
    const entry = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.domain(),
      fc.constantFrom('[', ']:1', '/', '::/0'),
    );
    fc.assert(
      fc.property(fc.array(entry), fc.domain(), (entries, host) => {
        const environment = { HTTPS_PROXY, NO_PROXY: entries.join(',') };
        expect([HTTPS_PROXY, undefined]).toContain(proxyFromEnvironment(environment, `https://${host}`));
        const excepted = { HTTPS_PROXY, NO_PROXY: [...entries, host].join(',') };
        expect(proxyFromEnvironment(excepted, `https://${host}`)).toBeUndefined();
      }),
    );
  });
});
