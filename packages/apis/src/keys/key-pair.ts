import { decodeBase64, type PemBlock, readPem } from '@ashlar/core';
import { readCertificateKey, readPrivateKey } from './public-key.ts';

/**
 * The warning for a certificate and a key, base64 of PEM texts, that a TLS server could not use, in the words
 * of such servers. A key without its public part is not compared.
 */
export function keyPairWarnings(certificate: string, key: string): readonly string[] {
  const warning = faultOf(blocksOf(certificate), blocksOf(key));
  return warning === undefined ? [] : [warning];
}

const blocksOf = (base64: string): readonly PemBlock[] =>
  readPem(new TextDecoder().decode(decodeBase64(base64)));

function faultOf(certificates: readonly PemBlock[], keys: readonly PemBlock[]): string | undefined {
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (!certificate) return noCertificate(certificates.map(({ type }) => type));
  const key = keys.find(({ type }) => isKey(type));
  return key ? mismatch(certificate.bytes, key.bytes) : noKey(keys.map(({ type }) => type));
}

const isKey = (type: string): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

function noCertificate(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && types[0]?.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function mismatch(certificate: Uint8Array, key: Uint8Array): string | undefined {
  const publicKey = readCertificateKey(certificate);
  if (!publicKey) return 'x509: malformed certificate';
  const privateKey = readPrivateKey(key);
  if (!privateKey) return 'tls: failed to parse private key';
  if (!publicKey.algorithm) return 'tls: unknown public key algorithm';
  if (publicKey.algorithm !== privateKey.algorithm)
    return 'tls: private key type does not match public key type';
  if (privateKey.key === undefined || privateKey.key === publicKey.key) return undefined;
  return 'tls: private key does not match public key';
}
