import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificates } from './self-signed-certificates.ts';

const NOW = Date.UTC(2024, 0, 2);

describe('createCertificates', () => {
  it('creates a CA and a certificate for this machine', async () => {
    const { certificateAuthority, certificate, key } = await createCertificates({ now: NOW });
    const authority = new X509Certificate(certificateAuthority);
    const server = new X509Certificate(certificate);
    expect([authority.ca, server.ca]).toEqual([true, false]);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect([server.verify(authority.publicKey), server.checkIssued(authority)]).toEqual([true, true]);
    expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true);
    for (const name of ['localhost']) expect(server.checkHost(name)).toBe(name);
    for (const address of ['127.0.0.1', '::1']) expect(server.checkIP(address)).toBe(address);
    expect(server.checkHost('example.com')).toBeUndefined();
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('creates certificates that are valid for ten years from an hour ago', async () => {
    const { certificate, certificateAuthority } = await createCertificates({ now: NOW });
    for (const pem of [certificate, certificateAuthority]) {
      const { validFrom, validTo } = new X509Certificate(pem);
      expect(NOW - Date.parse(validFrom)).toBe(3_600_000);
      expect(Date.parse(validTo) - NOW).toBe(3650 * 86_400_000);
    }
  });

  it('creates new keys on every call', async () => {
    const [one, other] = [await createCertificates({ now: NOW }), await createCertificates({ now: NOW })];
    const keyOf = (pem: string): string =>
      createPublicKey(pem).export({ format: 'pem', type: 'spki' }).toString();
    expect(keyOf(one.certificate)).not.toBe(keyOf(other.certificate));
    expect(keyOf(one.certificateAuthority)).not.toBe(keyOf(one.certificate));
  });
});
