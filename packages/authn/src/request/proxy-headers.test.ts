import type { Authentication } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anna, authority, nameless, old, otherAuthority } from '../certificates/certificates.fixture.ts';
import { fakeRequest, fixedAmbient } from './fake-request.fixture.ts';
import { createProxyHeaderAuthenticator, type ProxyHeaderOptions } from './proxy-headers.ts';

type Lines = Readonly<Record<string, string | readonly string[]>>;

const ALL: ProxyHeaderOptions = {
  authorities: [authority],
  allowedNames: ['anna'],
  usernameHeaders: ['X-Remote-User', 'X-Other-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group', 'X-More'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

function ask(
  headers: Lines,
  options: Partial<ProxyHeaderOptions> = {},
  chain: readonly Uint8Array[] | undefined = [anna, authority],
): Authentication {
  const authenticator = createProxyHeaderAuthenticator(fixedAmbient(), { ...ALL, ...options });
  const request = fakeRequest({ headers, connection: { clientCertificates: chain } });
  return authenticator.authenticate(request) as Authentication;
}

const userOf = (result: Authentication): unknown =>
  result.outcome === 'authenticated' ? result.user : result.outcome;

describe('headers of a proxy', () => {
  it('identify a user, uid, groups and extra fields', () => {
    const headers = {
      'x-remote-user': ['bob', 'second'],
      'x-remote-uid': 'u-1',
      'x-remote-group': ['dev', '', 'a,b', 'dev'],
      'x-more': 'ops',
      'x-remote-extra-scopes': ['one', ''],
      'x-remote-extra-example.com%2fkey': 'two',
      'x-remote-extra-100%': 'three',
    };
    expect(userOf(ask(headers))).toEqual({
      name: 'bob',
      uid: 'u-1',
      groups: ['dev', 'a,b', 'dev', 'ops'],
      extra: { scopes: ['one', ''], 'example.com/key': ['two'], '100%': ['three'] },
    });
  });

  it('are read in the order of their names; the first with a value counts', () => {
    expect(userOf(ask({ 'x-other-user': 'carl' }))).toEqual({ name: 'carl', groups: [] });
    expect(userOf(ask({ 'x-remote-user': '', 'x-other-user': 'carl' }))).toMatchObject({ name: 'carl' });
    expect(ask({ 'x-remote-group': 'dev' })).toEqual({ outcome: 'none' });
    expect(userOf(ask({ 'x-remote-user': 'bob', 'x-remote-uid': 'u' }, { uidHeaders: [] }))).toEqual({
      name: 'bob',
      groups: [],
    });
  });

  it('are UTF-8 bytes', () => {
    const name = 'zo\u00c3\u00ab';
    const headers = { 'x-remote-user': name, 'x-remote-group': name, 'x-remote-extra-a': name };
    expect(userOf(ask(headers))).toEqual({
      name: 'zo\u00eb',
      groups: ['zo\u00eb'],
      extra: { a: ['zo\u00eb'] },
    });
  });

  it('are kept apart where their bytes are no UTF-8: as Latin-1 one would be another user', () => {
    const name = (sent: string) => userOf(ask({ 'x-remote-user': sent }));
    expect([name('zo\u00eb'), name('zo\u00c3\u00ab')]).toMatchObject([
      { name: 'zo\udceb' },
      { name: 'zo\u00eb' },
    ]);
  });

  it('are ignored from other clients', () => {
    const headers = { 'x-remote-user': 'bob' };
    expect(ask(headers, {}, [])).toEqual({ outcome: 'none' });
    expect(ask(headers, { authorities: [otherAuthority] })).toMatchObject({ outcome: 'rejected' });
    expect(ask(headers, { authorities: [] })).toMatchObject({ outcome: 'rejected' });
    expect(ask(headers, {}, [old, authority])).toMatchObject({ outcome: 'rejected' });
    expect(ask(headers, { allowedNames: ['front', 'Anna'] })).toMatchObject({
      outcome: 'rejected',
      error: { message: 'certificates of the common name "anna" are not allowed for proxies' },
    });
    expect(ask(headers, {}, [nameless, authority])).toMatchObject({ outcome: 'rejected' });
  });

  it('are accepted from every proxy of the CA if no names are configured', () => {
    expect(userOf(ask({ 'x-remote-user': 'bob' }, { allowedNames: [] }))).toMatchObject({ name: 'bob' });
    const result = ask({ 'x-remote-user': 'bob' }, { allowedNames: [] }, [nameless, authority]);
    expect(userOf(result)).toMatchObject({ name: 'bob' });
  });

  it('never fail, and keep every key and value', () => {
    const extra = fc.dictionary(
      fc.string({ unit: fc.constantFrom('a', '%', '2', 'f', '-', '_') }),
      fc.string({ unit: 'binary-ascii' }),
    );
    fc.assert(
      fc.property(extra, (fields) => {
        const headers = Object.fromEntries(
          Object.entries(fields).map(([key, value]) => [`x-remote-extra-${key}`, value]),
        );
        const result = ask({ 'x-remote-user': 'bob', ...headers });
        const found = result.outcome === 'authenticated' ? Object.values(result.user.extra ?? {}).flat() : [];
        expect(found.sort()).toEqual(Object.values(fields).sort());
      }),
    );
  });
});
