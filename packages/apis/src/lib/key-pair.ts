import { base64ToText } from './base64.ts';

/**
 * Warnings of a certificate and a key that a server could not use, as base64 of PEM texts.
 * Looks for the PEM blocks (RFC 7468) only: whether the two belong together takes cryptography.
 */
export function keyPairWarnings(certificate: string, key: string): readonly string[] {
  const warning =
    certificateWarning(blockTypes(base64ToText(certificate))) ?? keyWarning(blockTypes(base64ToText(key)));
  return warning === undefined ? [] : [warning];
}

const BLOCK = /^-----BEGIN ([^\n-]*)-----\r?\n[\s\S]*?^-----END \1-----\s*$/gm;

function blockTypes(pem: string): readonly string[] {
  return Array.from(pem.matchAll(BLOCK), ([, type]) => type ?? '');
}

const isKey = (type: string): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

function certificateWarning(types: readonly string[]): string | undefined {
  if (types.includes('CERTIFICATE')) return undefined;
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && isKey(types[0] ?? '')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function keyWarning(types: readonly string[]): string | undefined {
  if (types.some(isKey)) return undefined;
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}
