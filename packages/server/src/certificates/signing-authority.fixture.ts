import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { CertificateSigning } from './certificate-signing.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

/** An authority, and a certificate of it for a server of this machine. All texts are PEM. */
export interface SigningAuthority extends CertificateSigning {
  readonly serverCertificate: string;
  readonly serverKey: string;
}

/** Creates a CA that is valid for ten days around now. */
export async function createSigningAuthority(): Promise<SigningAuthority> {
  const [keys, serverKeys] = [await newKeys(), await newKeys()];
  const life = { notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + 10 * DAY) };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=authority', keys, signingAlgorithm: ALGORITHM, ...life },
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const server = await x509.X509CertificateGenerator.create({
    ...{ subject: 'CN=server', issuer: authority.subject, signingAlgorithm: ALGORITHM, ...life },
    ...{ publicKey: serverKeys.publicKey, signingKey: keys.privateKey },
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  return {
    certificate: authority.toString('pem'),
    key: await privateKeyPem(keys),
    serverCertificate: server.toString('pem'),
    serverKey: await privateKeyPem(serverKeys),
  };
}

/** A certificate signing request and its private key, PEM. */
export async function wanted(subject: string): Promise<{ readonly request: string; readonly key: string }> {
  const keys = await newKeys();
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    ...{ name: subject, keys, signingAlgorithm: ALGORITHM },
  });
  return { request: request.toString('pem'), key: await privateKeyPem(keys) };
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

const privateKeyPem = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> =>
  x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
