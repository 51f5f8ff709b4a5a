import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@ashlar/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFrontProxyCertificate } from '../../certificates/front-proxy-certificate.ts';
import { proxyClientOf } from './serve-proxy-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'proxy-client-'));
const file = (name: string): string => join(folder, name);
const transport = {} as Transport;
const of = (certificate?: string, key?: string): string | undefined => {
  const flags = {
    ...(certificate !== undefined && { 'proxy-client-cert-file': certificate }),
    ...(key !== undefined && { 'proxy-client-key-file': key }),
  };
  using client = proxyClientOf(flags, transport, () => {});
  return client?.current().certificate;
};

describe('the client certificate of a server in front of others', () => {
  let certificate: string;

  beforeAll(async () => {
    const [own, other] = [await createFrontProxyCertificate(), await createFrontProxyCertificate()];
    certificate = own.certificate;
    writeFileSync(file('a.crt'), own.certificate);
    writeFileSync(file('a.key'), own.key);
    writeFileSync(file('b.key'), other.key);
    writeFileSync(file('none.crt'), 'none');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read from its files', () => {
    expect(of()).toBeUndefined();
    expect(of(file('a.crt'), file('a.key'))).toBe(certificate);
  });

  it.each([
    ['a.crt', undefined, 'flag --proxy-client-cert-file needs --proxy-client-key-file'],
    [undefined, 'a.key', 'flag --proxy-client-key-file needs --proxy-client-cert-file'],
    ['a.crt', 'b.key', 'flag --proxy-client-cert-file: the key is not that of the certificate'],
    ['none.crt', 'a.key', 'flag --proxy-client-cert-file: the certificate and its key cannot be used'],
    ['missing.crt', 'a.key', 'cannot be read (ENOENT)'],
  ])('of %s and %s is refused', (certificateFile, keyFile, message) => {
    expect(() => of(certificateFile && file(certificateFile), keyFile && file(keyFile))).toThrow(message);
  });
});
