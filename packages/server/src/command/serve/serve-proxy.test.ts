import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orchVocabulary, type ServerRequest } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, createCertificates } from '../../certificates/self-signed-certificates.ts';
import { type ServeFlags, serveFlags } from '../flags/serve-flags.ts';
import { ClientAuthorities } from './certificates/client-authorities.ts';
import { proxyAuthenticatorOf } from './serve-proxy.ts';

const root = mkdtempSync(join(tmpdir(), 'proxy-'));
afterAll(() => rmSync(root, { recursive: true }));
const authorities = join(root, 'ca.crt');
const empty = join(root, 'empty');
let proxy: Certificates;

beforeAll(async () => {
  proxy = await createCertificates();
  writeFileSync(authorities, proxy.certificateAuthority);
  writeFileSync(empty, '');
});

const ambient = nodeAmbient(orchVocabulary);
const FLAGS: ServeFlags = {
  'requestheader-client-ca-file': authorities,
  'requestheader-username-headers': ['X-Remote-User'],
};

const authenticatorOf = (flags: ServeFlags) =>
  proxyAuthenticatorOf(flags, ambient, new ClientAuthorities(flags, () => {}));

const request = (pems: readonly string[]): ServerRequest => ({
  method: 'GET',
  url: '/',
  headers: {
    get: (name) => (name.toLowerCase() === 'x-remote-user' ? 'bob' : undefined),
    all: () => [],
    entries: () => [],
  },
  connection: { encrypted: true, clientCertificates: pems.map((pem) => new X509Certificate(pem).raw) },
  signal: new AbortController().signal,
  body: async () => new Uint8Array(),
});

describe('proxyAuthenticatorOf', () => {
  it('trusts the proxies of the CA in the flags', async () => {
    const authenticator = authenticatorOf(FLAGS);
    const chain = [proxy.certificate, proxy.certificateAuthority];
    expect(await authenticator?.authenticate(request(chain))).toMatchObject({ user: { name: 'bob' } });
    const other = await createCertificates();
    const foreign = [other.certificate, other.certificateAuthority];
    expect(await authenticator?.authenticate(request(foreign))).toMatchObject({ outcome: 'rejected' });
  });

  it('is off by default', () => {
    expect(authenticatorOf({})).toBeUndefined();
  });

  it.each([
    [
      { 'requestheader-allowed-names': ['a'] },
      /--requestheader-allowed-names needs --requestheader-client-ca-file/,
    ],
    [{ 'requestheader-client-ca-file': authorities }, /needs --requestheader-username-headers/],
    [{ ...FLAGS, 'requestheader-uid-headers': ['X-Remote-Uid'] }, /the feature gate RemoteRequestHeaderUID/],
    [{ ...FLAGS, 'requestheader-client-ca-file': empty }, /it contains no certificate/],
    [{ ...FLAGS, 'requestheader-client-ca-file': join(root, 'none') }, /cannot be read/],
  ] satisfies [ServeFlags, RegExp][])('rejects %j', (flags, text) => {
    expect(() => authenticatorOf(flags)).toThrow(text);
  });

  it('reads a uid if its feature gate is enabled', () => {
    const gates = serveFlags['feature-gates'].parse('RemoteRequestHeaderUID=true');
    const flags = { ...FLAGS, 'requestheader-uid-headers': ['X-Remote-Uid'], 'feature-gates': gates };
    expect(authenticatorOf(flags)).toBeDefined();
  });
});
