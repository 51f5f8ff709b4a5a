import { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { toRequest } from '../testing/test-api.fixture.ts';
import { type AnonymousOrigins, createForeignCallerCheck } from './foreign-callers.ts';

interface Caller {
  readonly host?: string;
  readonly origin?: string;
  readonly ownHosts?: readonly string[] | 'any';
}

function isLetIn(
  { host, origin, ownHosts = ['127.0.0.1'] }: Caller,
  allowed: AnonymousOrigins = {},
): boolean {
  const headers = { ...(host !== undefined && { host }), ...(origin !== undefined && { origin }) };
  const request = { ...toRequest('GET', '/', { headers }), connection: { encrypted: false, ownHosts } };
  try {
    createForeignCallerCheck(allowed)(request);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ code: 403, reason: 'Forbidden' });
    return false;
  }
}

describe('a server without authentication', () => {
  it.each<[Caller]>([
    [{}],
    [{ host: '127.0.0.1:8080' }],
    [{ host: '127.1.2.3' }],
    [{ host: 'LocalHost:8080' }],
    [{ host: '[::1]:8080' }],
    [{ host: '10.1.2.3:8080', ownHosts: ['10.1.2.3'] }],
    [{ host: 'box.example.org', ownHosts: ['box.example.org'] }],
    [{ host: '10.1.2.3:8080', ownHosts: ['0.0.0.0'] }],
    [{ host: '[fe80::1]', ownHosts: ['::'] }],
    [{ host: 'whatever', ownHosts: 'any' }],
    [{ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }],
    [{ host: 'localhost', origin: 'https://LOCALHOST' }],
  ])('accepts callers by its own name: %j', (caller) => {
    expect(isLetIn(caller)).toBe(true);
  });

  it.each<[Caller]>([
    [{ host: 'evil.example:8080' }],
    [{ host: 'localhost.evil.example' }],
    [{ host: '127.evil.example' }],
    [{ host: '127.0.0.1.evil.example' }],
    [{ host: '' }],
    [{ host: '[::1' }],
    [{ host: '10.1.2.3' }],
    [{ host: 'evil.example', ownHosts: ['0.0.0.0', '::'] }],
    [{ host: '127.0.0.1:8080', origin: 'http://evil.example' }],
    [{ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8081' }],
    [{ host: '127.0.0.1:8080', origin: 'null' }],
    [{ host: '127.0.0.1:8080', origin: '' }],
    [{ origin: 'http://evil.example' }],
    [{ host: 'x', ownHosts: 'any', origin: 'http://evil.example' }],
    // the page's own name, rebound to this address
    [{ host: 'evil.example:8080', origin: 'http://evil.example:8080' }],
  ])('rejects others: %j', (caller) => {
    expect(isLetIn(caller)).toBe(false);
  });

  it.each<[Caller, AnonymousOrigins]>([
    [{ host: 'api.example.org:8080' }, { hosts: ['API.example.org'] }],
    [{ host: 'anything' }, { hosts: ['*'] }],
    [{ host: 'localhost', origin: 'https://app.example.org' }, { origins: ['https://app.example.org'] }],
    [{ host: 'localhost', origin: 'https://x' }, { origins: ['*'] }],
  ])('accepts configured hosts and origins: %j %j', (caller, allowed) => {
    expect([isLetIn(caller), isLetIn(caller, allowed)]).toEqual([false, true]);
  });

  it('quotes only a part of a long name', () => {
    const request = toRequest('GET', '/', { headers: { host: 'x'.repeat(100_000) } });
    expect(() => createForeignCallerCheck({})(request)).toThrow(/^.{100,600}$/);
  });
});
