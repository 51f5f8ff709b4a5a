import { X509Certificate } from 'node:crypto';
import { type Ambient, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { signCertificate } from './certificate-authority.ts';
import {
  type AuthorityAlgorithm,
  certificateAuthority,
  certificateRequest,
} from './certificate-request.fixture.ts';
import { readRequestedCertificate } from './requested-certificate.ts';

const NOW = Date.UTC(2024, 0, 2);
const HOUR = 3_600_000;
const ambient: Ambient = {
  clock: createSteppedClock(NOW),
  random: { bytes: (into) => into.fill(0xab) },
  vocabulary: orchVocabulary,
};

interface Wanted {
  readonly subject?: string;
  readonly names?: Parameters<typeof certificateRequest>[1];
  readonly usages?: readonly string[];
  readonly milliseconds?: number;
  /** When the CA expires. */
  readonly end?: number;
  readonly algorithm?: AuthorityAlgorithm;
}

async function signed(
  wanted: Wanted = {},
): Promise<{ certificate: X509Certificate; authority: X509Certificate }> {
  const { subject = 'CN=anna', names, usages = ['client auth'], milliseconds = HOUR } = wanted;
  const authority = await certificateAuthority(wanted.end ?? NOW + 1000 * HOUR, wanted.algorithm);
  const requested = readRequestedCertificate(await certificateRequest(subject, names));
  const pem = await signCertificate(authority, requested, usages, milliseconds, ambient);
  return { certificate: new X509Certificate(pem), authority: new X509Certificate(authority.certificate) };
}

describe('a signed certificate', () => {
  it.each<AuthorityAlgorithm>([
    { name: 'ECDSA', namedCurve: 'P-256' },
    { name: 'ECDSA', namedCurve: 'P-384' },
    { name: 'ECDSA', namedCurve: 'P-521' },
    { name: 'Ed25519' },
    {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 2048,
      publicExponent: Uint8Array.of(1, 0, 1),
    },
  ])('is of its CA: %o', async (algorithm) => {
    const { certificate, authority } = await signed({ algorithm });
    expect(certificate.checkIssued(authority)).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  it('has the requested content, and nothing else', async () => {
    const { certificate } = await signed({
      subject: 'O=dev,O="a, b",CN=anna',
      names: [
        { type: 'dns', value: 'one.example' },
        { type: 'ip', value: '10.0.0.1' },
        { type: 'upn', value: 'anna@one.example' },
      ],
      usages: ['client auth', 'server auth', 'digital signature'],
    });
    expect(certificate.subject).toBe('O=dev\nO=a\\, b\nCN=anna');
    expect(certificate.subjectAltName).toBe('DNS:one.example, IP Address:10.0.0.1');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']);
    expect(certificate.serialNumber).toMatch(/^(00)?(AB){16}$/);
  });

  it.each([
    ['a short one is as long as it is to be', HOUR, NOW + HOUR],
    ['a long one loses what it begins earlier', 8 * HOUR, NOW + 8 * HOUR - 300_000],
    ['no one outlives its authority', 2000 * HOUR, NOW + 1000 * HOUR],
  ])('is valid from five minutes ago: %s', async (_, milliseconds, end) => {
    const { certificate } = await signed({ milliseconds });
    expect(Date.parse(certificate.validFrom)).toBe(NOW - 300_000);
    expect(Date.parse(certificate.validTo)).toBe(end);
  });

  it('is not issued by an expired CA', async () => {
    await expect(signed({ end: NOW })).rejects.toThrow('the certificate of the authority has expired');
  });

  it('is not issued to requesters that do not hold the key', async () => {
    const authority = await certificateAuthority(NOW + HOUR);
    const requested = readRequestedCertificate(await certificateRequest('CN=anna'));
    const stolen = { ...requested, isSignedByKey: async () => false };
    await expect(signCertificate(authority, stolen, ['client auth'], HOUR, ambient)).rejects.toThrow(
      'the signature of the request is not that of its key',
    );
  });

  it('is not issued for unknown usages', async () => {
    await expect(signed({ usages: ['client auth', 'toString'] })).rejects.toThrow(
      'unknown key usages: toString',
    );
  });
});
