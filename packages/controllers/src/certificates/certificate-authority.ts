// the certificate library uses decorators and needs this import first
import 'reflect-metadata';
import type { Ambient } from '@ashlar/core';
import { toHex } from '@ashlar/core';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  type Extension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { CryptoKey } from 'jose';
import { usageExtensions } from './key-usages.ts';
import type { RequestedCertificate } from './requested-certificate.ts';

/** The CA that signs certificates. */
export interface CertificateAuthority {
  /** PEM. */
  readonly certificate: string;
  /** The private key of the CA certificate. */
  readonly key: CryptoKey;
}

/** Tolerance for clock skew: certificates are valid from that many milliseconds ago. */
const EARLIER = 5 * 60_000;
/** Durations below this are not shortened by that tolerance. */
const SHORT = 8 * 3_600_000;

/** Hashes for keys on curves, of the same strength. */
const HASHES: Readonly<Record<string, string>> = {
  'P-256': 'SHA-256',
  'P-384': 'SHA-384',
  'P-521': 'SHA-512',
};

/**
 * Signs a certificate with the requested subject, alternative names and key. It is not a CA certificate, and
 * expires no later than its CA (RFC 5280).
 *
 * @param milliseconds validity duration
 * @returns PEM
 * @throws Error if the CA certificate has expired, or the request is not signed by its key
 */
export async function signCertificate(
  { certificate, key }: CertificateAuthority,
  requested: RequestedCertificate,
  usages: readonly string[],
  milliseconds: number,
  { clock, random }: Ambient,
): Promise<string> {
  if (!(await requested.isSignedByKey()))
    throw new Error('the signature of the request is not that of its key');
  const authority = new X509Certificate(certificate);
  const signed = await X509CertificateGenerator.create({
    serialNumber: toHex(random.bytes(new Uint8Array(16))),
    subject: requested.subject,
    issuer: authority.subjectName,
    ...validity(clock.now(), milliseconds, authority.notAfter.getTime()),
    publicKey: requested.publicKey,
    signingKey: key,
    signingAlgorithm: { name: key.algorithm.name, hash: hashFor(key) },
    extensions: [...usageExtensions(usages), ...extensionsOf(requested, authority)],
  });
  return `${signed.toString('pem')}\n`;
}

function validity(now: number, milliseconds: number, last: number): { notBefore: Date; notAfter: Date } {
  if (now >= last) throw new Error('the certificate of the authority has expired');
  const end = milliseconds < SHORT ? now + milliseconds : now + milliseconds - EARLIER;
  return { notBefore: new Date(now - EARLIER), notAfter: new Date(Math.min(end, last)) };
}

function hashFor({ algorithm }: CryptoKey): string {
  const { namedCurve } = algorithm as { readonly namedCurve?: string };
  return (namedCurve && HASHES[namedCurve]) || 'SHA-256';
}

function extensionsOf(
  { subject, alternativeNames }: RequestedCertificate,
  authority: X509Certificate,
): readonly Extension[] {
  const identifier = authority.getExtension(SubjectKeyIdentifierExtension)?.keyId;
  const isNameless = subject.toJSON().length === 0;
  return [
    new BasicConstraintsExtension(false, undefined, true),
    ...(identifier === undefined ? [] : [new AuthorityKeyIdentifierExtension(identifier)]),
    // without a subject the alternative names are critical (section 4.2.1.6)
    ...(alternativeNames.length === 0
      ? []
      : [new SubjectAlternativeNameExtension([...alternativeNames], isNameless)]),
  ];
}
