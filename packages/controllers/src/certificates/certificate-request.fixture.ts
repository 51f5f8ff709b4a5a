import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  type JsonGeneralNames,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { CertificateAuthority } from './certificate-authority.ts';

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate signing request in PEM, signed by a key of its own. */
export async function certificateRequest(
  subject: string,
  alternativeNames: JsonGeneralNames = [],
): Promise<string> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys: await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']),
    signingAlgorithm: ECDSA,
    extensions: alternativeNames.length === 0 ? [] : [new SubjectAlternativeNameExtension(alternativeNames)],
  });
  return request.toString('pem');
}

/** How to generate the key of a CA. */
export type AuthorityAlgorithm =
  | webcrypto.EcKeyGenParams
  | webcrypto.RsaHashedKeyGenParams
  | { readonly name: 'Ed25519' };

/** A CA from 2020 to the given time, in milliseconds since 1970. */
export async function certificateAuthority(
  end: number,
  algorithm: AuthorityAlgorithm = ECDSA,
): Promise<CertificateAuthority> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=authority,O="one, two"',
    keys,
    serialNumber: '01',
    notBefore: new Date(Date.UTC(2020, 0, 1)),
    notAfter: new Date(end),
    signingAlgorithm: { hash: 'SHA-256', ...algorithm },
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: keys.privateKey };
}
