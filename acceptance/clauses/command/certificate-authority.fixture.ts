// the certificate library uses decorators and needs this import first
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** PEM texts of a certificate and of its key. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR = 3_600_000;

let serial = 0;

/** Signs client certificates, and server certificates for this machine. */
export class CertificateAuthority {
  readonly #root: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(root: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#root = root;
    this.#keys = keys;
  }

  /** @param isAuthority whether its own certificate is a CA certificate */
  static async create(name = 'authority', isAuthority = true): Promise<CertificateAuthority> {
    x509.cryptoProvider.set(crypto);
    const keys = await newKeys();
    const root = await x509.X509CertificateGenerator.createSelfSigned({
      ...{ serialNumber: nextSerial(), name: [{ CN: [name] }], ...lifetime(), keys },
      signingAlgorithm: ALGORITHM,
      extensions: [new x509.BasicConstraintsExtension(isAuthority, undefined, true)],
    });
    return new CertificateAuthority(root, keys);
  }

  get pem(): string {
    return `${this.#root.toString('pem')}\n`;
  }

  /** A certificate of a common name and organizations, for either end of a connection to this machine. */
  async issue(commonName: string, ...organizations: readonly string[]): Promise<IssuedCertificate> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      ...{ serialNumber: nextSerial(), issuer: this.#root.subjectName.toJSON(), ...lifetime() },
      subject: [...organizations.map((name) => ({ O: [name] })), { CN: [commonName] }],
      ...{ publicKey: keys.publicKey, signingKey: this.#keys.privateKey, signingAlgorithm: ALGORITHM },
      extensions: EXTENSIONS,
    });
    return { certificate: certificate.toString('pem'), key: await privateKeyPem(keys) };
  }
}

const EXTENSIONS: x509.Extension[] = [
  new x509.BasicConstraintsExtension(false, undefined, true),
  new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth, x509.ExtendedKeyUsage.serverAuth]),
  new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
];

const nextSerial = (): string => (++serial).toString(16).padStart(4, '0');

const lifetime = (): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(Date.now() - HOUR),
  notAfter: new Date(Date.now() + 24 * HOUR),
});

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privateKeyPem({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
}
