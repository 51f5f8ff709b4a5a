import { decodeBase64, ParseError } from '@ashlar/core';

const BLOCK = /-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)-----END CERTIFICATE-----/g;

/**
 * The PEM text of a bundle of certificates, given in base64; undefined where it holds no certificate. Whether the certificates are
 * any good is for who connects to find out.
 */
export function readCertificates(bundle: string): string | undefined {
  const bytes = bytesOf(bundle);
  if (!bytes) return undefined;
  const text = new TextDecoder().decode(bytes);
  const blocks = [...text.matchAll(BLOCK)].map(([, body = '']) => bytesOf(body.replace(/\s/g, '')));
  // a certificate is a sequence
  return blocks.length > 0 && blocks.every((block) => block?.[0] === 0x30) ? text : undefined;
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return decodeBase64(base64);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
