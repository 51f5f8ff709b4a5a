import type { Authentication, Connection } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeRequest, withToken } from '../request/fake-request.fixture.ts';
import { createBearerAuthenticator, parseBearerToken } from './bearer-token.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';

describe('parseBearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bEARER abc', 'abc'],
    [' Bearer abc ', 'abc'],
    ['Bearer abc more words', 'abc'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Basic abc', undefined],
    ['abc', undefined],
    ['Bearer\tabc', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j returns %j', (line, token) => {
    expect(parseBearerToken(line).token).toBe(token);
    expect(parseBearerToken(line).warning).toBeUndefined();
  });

  it('warns about a second space, and ignores the header', () => {
    expect(parseBearerToken('Bearer  abc')).toEqual({
      warning:
        'the provided Authorization header contains extra space before the bearer token, and is ignored',
    });
  });

  it('parses any valid token, and never fails', () => {
    const token = fc.string({ unit: fc.constantFrom('a', 'Z', '-', '.', '_', '=', '/', ','), minLength: 1 });
    fc.assert(fc.property(token, (text) => parseBearerToken(`Bearer ${text}`).token === text));
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(parseBearerToken(line).token).not.toBe('');
      }),
    );
  });

  it.each([
    ['blanks before a text', `Bearer${' '.repeat(900_000)}x`],
    ['blanks inside a token', `Bearer x${'\u00a0 '.repeat(450_000)}x`],
    ['blanks before the scheme', `${' \t'.repeat(450_000)}x`],
  ])('parses a header once: %s', (_name, line) => {
    expect(['x', 'x\u00a0', undefined]).toContain(parseBearerToken(line).token);
  });
});

describe('createBearerAuthenticator', () => {
  const user = { name: 'anna', groups: [] };
  const known: Authentication = { outcome: 'authenticated', user };
  const answerFor = (token: string): Authentication =>
    token === 'good'
      ? known
      : token === 'old'
        ? { outcome: 'rejected', error: new Error('expired') }
        : { outcome: 'none' };

  it.each([
    ['at hand', answerFor],
    ['in time', async (token: string) => answerFor(token)],
  ])('rejects unknown tokens (results %s)', async (_, authenticateToken) => {
    const authenticator = createBearerAuthenticator({ authenticateToken });
    expect(await authenticator.authenticate(withToken('good'))).toBe(known);
    expect(await authenticator.authenticate(withToken('bad'))).toMatchObject({
      outcome: 'rejected',
      error: { message: 'invalid bearer token' },
    });
    expect(await authenticator.authenticate(withToken('old'))).toMatchObject({
      error: { message: 'expired' },
    });
    expect(await authenticator.authenticate(fakeRequest())).toEqual({ outcome: 'none' });
  });

  it('decodes tokens as UTF-8, and rejects invalid ones', async () => {
    const authenticateToken = (token: string) => answerFor(token === 'zo\u00eb' ? 'good' : token);
    const authenticator = createBearerAuthenticator({ authenticateToken });
    expect(await authenticator.authenticate(withToken('zo\u00c3\u00ab'))).toBe(known);
    expect(await authenticator.authenticate(withToken('zo\u00eb'))).toMatchObject({ outcome: 'rejected' });
  });
});

describe('The last token of a connection', () => {
  it('is prepared once, and authenticated with each request', () => {
    let prepared = 0;
    let known = true;
    const tokens: TokenAuthenticator = {
      authenticateToken: () => ({ outcome: 'none' }),
      prepare(token) {
        prepared++;
        return () =>
          known ? { outcome: 'authenticated', user: { name: token, groups: [] } } : { outcome: 'none' };
      },
    };
    const authenticator = createBearerAuthenticator(tokens);
    const connection = { encrypted: true };
    const ask = (authorization?: string, from: Connection = connection): unknown =>
      authenticator.authenticate({
        ...fakeRequest({ headers: authorization === undefined ? {} : { authorization } }),
        connection: from,
      });
    for (let i = 0; i < 3; i++) expect(ask('Bearer al')).toMatchObject({ user: { name: 'al' } });
    expect(prepared).toBe(1);
    expect(ask('Bearer bo')).toMatchObject({ user: { name: 'bo' } });
    expect(ask('Bearer al', { encrypted: true })).toMatchObject({ user: { name: 'al' } });
    expect(ask('Basic al')).toEqual({ outcome: 'none' });
    expect(ask()).toEqual({ outcome: 'none' });
    expect(ask('Bearer al')).toMatchObject({ outcome: 'authenticated' });
    expect(prepared).toBe(4);
    known = false;
    expect(ask('Bearer al')).toMatchObject({ outcome: 'rejected' });
  });
});
