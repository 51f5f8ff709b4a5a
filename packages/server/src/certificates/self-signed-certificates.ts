// the certificate library uses decorators and needs this import first
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** A new CA certificate and a server certificate for this machine, PEM. */
export interface Certificates {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;
const YEARS_10 = 3650 * DAY;
/** Tolerance for clock skew. */
const EARLIER = 60 * 60 * 1000;

/** Common name of the certificate of a front proxy. */
const FRONT_PROXY = 'front-proxy';

export interface ServingCertificateOptions {
  /** Names and addresses by which the server is reached, besides `localhost` and the loopback addresses. */
  readonly hosts?: readonly string[];
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** Creates a CA and a server certificate for this machine and further hosts, both valid for ten years. */
export function createCertificates({
  hosts = [],
  now = Date.now(),
}: ServingCertificateOptions = {}): Promise<Certificates> {
  return createPair('ashlar', serverExtensions(hosts), now);
}

/** Creates a CA and a client certificate for a front proxy, both valid for ten years. */
export function createProxyCertificates(now: number = Date.now()): Promise<Certificates> {
  const usage = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]);
  return createPair(FRONT_PROXY, [new x509.BasicConstraintsExtension(false, undefined, true), usage], now);
}

async function createPair(
  commonName: string,
  extensions: x509.Extension[],
  now: number,
): Promise<Certificates> {
  x509.cryptoProvider.set(crypto);
  const lifetime = { notBefore: new Date(now - EARLIER), notAfter: new Date(now + YEARS_10) };
  const authorityKeys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${commonName}-ca`,
    ...lifetime,
    signingAlgorithm: ALGORITHM,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: `CN=${commonName}`,
    issuer: authority.subject,
    ...lifetime,
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions,
  });
  return {
    certificateAuthority: `${authority.toString('pem')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
    key: `${await privateKeyPem(keys.privateKey)}\n`,
  };
}

function serverExtensions(hosts: readonly string[]): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([
      { type: 'dns', value: 'localhost' },
      { type: 'ip', value: '127.0.0.1' },
      { type: 'ip', value: '::1' },
      ...hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
    ]),
  ];
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
