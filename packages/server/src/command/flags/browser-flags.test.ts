import { describe, expect, it } from 'vitest';
import { browserFlags, browserOptionsOf } from './browser-flags.ts';
import { parseFlags } from './flags.ts';

const optionsOf = (...words: readonly string[]): ReturnType<typeof browserOptionsOf> =>
  browserOptionsOf(parseFlags(browserFlags, words));

describe('--cors-allowed-origins', () => {
  it('allows the origins that one of its expressions matches', () => {
    const { allowsOrigin } = optionsOf(
      '--cors-allowed-origins=//app\\.example\\.org(:|$),^https://[a-z]+\\.test$',
    );
    const allowed = ['https://app.example.org', 'http://app.example.org:8080', 'https://a.test'];
    const others = ['https://app.example.org.evil.example', 'https://evilapp.example.org', 'https://1.test'];
    expect([...allowed, ...others].filter((origin) => allowsOrigin?.(origin))).toEqual(allowed);
  });

  it.each([
    ['app.example.org', '"app.example.org" must match the start and the end of the host'],
    ['//app.example.org', '"//app.example.org" must match the start and the end of the host'],
    ['app$', '"app$" must match the start and the end of the host'],
    ['^(a$', 'error parsing regexp: missing closing ): `^(a$`'],
    ['^a$,', 'one of the values is empty'],
  ])('rejects %s', (text, expected) => {
    expect(() => optionsOf('--cors-allowed-origins', text)).toThrow(
      `flag --cors-allowed-origins: ${expected}`,
    );
  });
});

describe('--strict-transport-security-directives', () => {
  it('is the header', () => {
    const words = [
      '--strict-transport-security-directives=max-age=31536000,includeSubDomains',
      '--strict_transport_security_directives=preload',
    ];
    expect(optionsOf(...words)).toEqual({
      strictTransportSecurity: 'max-age=31536000; includeSubDomains; preload',
    });
  });

  it.each(['max-age', 'max-age=1=2', 'includesubdomains', 'other=1'])('rejects %s', (text) => {
    expect(() => optionsOf('--strict-transport-security-directives', text)).toThrow(
      `${JSON.stringify(text)} is neither max-age=SECONDS, includeSubDomains nor preload`,
    );
  });
});

it('sets nothing by default', () => {
  expect(optionsOf()).toEqual({});
});
