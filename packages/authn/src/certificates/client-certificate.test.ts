import type { Authentication } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { fakeRequest, fixedAmbient } from '../request/fake-request.fixture.ts';
import { anna, annaDigest, authority, nameless, old, otherAuthority } from './certificates.fixture.ts';
import { type ClientCertificateOptions, createClientCertificateAuthenticator } from './client-certificate.ts';

function ask(
  chain: readonly Uint8Array[] | undefined,
  options: ClientCertificateOptions & { readonly now?: number; readonly error?: string } = {},
): Authentication | Promise<Authentication> {
  const authenticator = createClientCertificateAuthenticator(fixedAmbient(options.now), options);
  const connection = { clientCertificates: chain, clientCertificateError: options.error };
  return authenticator.authenticate(fakeRequest({ connection }));
}

describe('client certificates', () => {
  it('identify a user, groups and the credential', () => {
    expect(ask([anna, authority])).toEqual({
      outcome: 'authenticated',
      user: {
        name: 'anna',
        groups: ['builders', 'system:masters'],
        extra: { 'authentication.orch.io/credential-id': [`X509SHA256=${annaDigest}`] },
      },
    });
  });

  it('are ignored if there is none, or one without a name', () => {
    expect(ask(undefined)).toEqual({ outcome: 'none' });
    expect(ask([])).toEqual({ outcome: 'none' });
    expect(ask([nameless, authority])).toEqual({ outcome: 'none' });
  });

  it('are rejected if they are not trusted', () => {
    expect(ask(undefined, { error: 'unable to verify' })).toMatchObject({
      outcome: 'rejected',
      error: { message: 'the certificate is not trusted: unable to verify' },
    });
  });

  it('are rejected after their expiry, even on an older connection', () => {
    expect(ask([old, authority])).toMatchObject({ outcome: 'rejected' });
    expect(ask([old, authority], { now: Date.UTC(2020, 5, 1) })).toMatchObject({ outcome: 'authenticated' });
    const ambient = fixedAmbient(Date.UTC(2020, 11, 31));
    const authenticator = createClientCertificateAuthenticator(ambient);
    const request = fakeRequest({ connection: { clientCertificates: [anna, old] } });
    expect(authenticator.authenticate(request)).toMatchObject({ outcome: 'authenticated' });
    ambient.now = Date.UTC(2021, 0, 2);
    expect(authenticator.authenticate(request)).toMatchObject({ outcome: 'rejected' });
    expect(ask([anna], { now: Date.UTC(2019, 0, 1) })).toMatchObject({ outcome: 'rejected' });
  });

  it('are accepted only from the CAs of users, if those are configured', () => {
    expect(ask([anna, authority], { authorities: [otherAuthority, authority] })).toMatchObject({
      outcome: 'authenticated',
    });
    expect(ask([anna, authority], { authorities: [otherAuthority] })).toMatchObject({ outcome: 'rejected' });
    expect(ask([anna, authority], { authorities: [] })).toMatchObject({ outcome: 'rejected' });
  });

  it('that are unreadable are rejected', () => {
    expect(ask([new Uint8Array([1, 2, 3])])).toMatchObject({
      outcome: 'rejected',
      error: { message: expect.stringContaining('cannot be read') },
    });
  });

  it('return the same user for the same chain', () => {
    const authenticator = createClientCertificateAuthenticator(fixedAmbient());
    const request = fakeRequest({ connection: { clientCertificates: [anna, authority] } });
    expect(authenticator.authenticate(request)).toBe(authenticator.authenticate(request));
  });
});
