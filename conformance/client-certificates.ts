// the certificate library uses decorators and needs this import first
import 'reflect-metadata';
import { type webcrypto, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { type CertificateSubject, clientCertificates, DAY } from './client-certificate-subjects.ts';

/** The certificates of a server and of its callers, as files in a folder, where the player expects them. */
export interface ClientCertificates extends Disposable {
  readonly folder: string;
  /** The CA of client certificates and of the server's own. Name of the PEM file. */
  readonly authorityFile: string;
  /** The same, in DER. */
  readonly authority: Uint8Array;
  /** The text of a file of the folder. */
  read(name: string): string;
}

interface Issuer {
  readonly name: x509.JsonName;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly pem: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const USAGES = {
  clientAuth: [x509.ExtendedKeyUsage.clientAuth],
  serverAuth: [x509.ExtendedKeyUsage.serverAuth],
  both: [x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth],
};

/** Creates what `trace/certificates.sh` creates with openssl, and a CA and a certificate for the server. */
export async function createClientCertificates(): Promise<ClientCertificates> {
  x509.cryptoProvider.set(crypto);
  const folder = mkdtempSync(join(tmpdir(), 'client-certificates-'));
  const issuers = new Map<string, Issuer>();
  for (const subject of clientCertificates) {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const issuer = issuers.get(subject.issuer ?? 'ca');
    const pem = await certificateOf(subject, keys, issuer);
    issuers.set(subject.file, { name: nameOf(subject), keys, pem });
    const chain = subject.sendsIssuer ? `${pem}\n${issuer?.pem}\n` : `${pem}\n`;
    writeFileSync(join(folder, `${subject.file}.crt`), chain);
    writeFileSync(join(folder, `${subject.file}.key`), await privateKeyPem(keys), { mode: 0o600 });
  }
  const authorityFile = join(folder, 'ca.crt');
  return {
    folder,
    authorityFile,
    authority: new X509Certificate(readFileSync(authorityFile)).raw,
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

let serial = 0;

async function certificateOf(
  subject: CertificateSubject,
  keys: webcrypto.CryptoKeyPair,
  issuer: Issuer | undefined,
): Promise<string> {
  const [from = -DAY / 24, until = 30 * DAY] = subject.lifetime ?? [];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: (++serial).toString(16).padStart(4, '0'),
    subject: nameOf(subject),
    issuer: issuer && !subject.isRoot ? issuer.name : nameOf(subject),
    notBefore: new Date(Date.now() + from),
    notAfter: new Date(Date.now() + until),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuer && !subject.isRoot ? issuer.keys.privateKey : keys.privateKey,
    extensions: extensionsOf(subject),
  });
  return certificate.toString('pem');
}

/** One attribute per set, in order. */
const nameOf = ({ name }: CertificateSubject): x509.JsonName =>
  name.map(([attribute, value]) => ({ [attribute]: [value] }));

function extensionsOf({ usage, isServer }: CertificateSubject): x509.Extension[] {
  if (usage === 'authority') return [new x509.BasicConstraintsExtension(true, undefined, true)];
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.ExtendedKeyUsageExtension(USAGES[usage ?? 'clientAuth']),
    ...(isServer
      ? [new x509.SubjectAlternativeNameExtension([{ type: 'ip' as const, value: '127.0.0.1' }])]
      : []),
  ];
}

async function privateKeyPem({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
}
