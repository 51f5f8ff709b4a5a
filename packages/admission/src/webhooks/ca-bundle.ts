import { decodeBase64, ParseError } from '@ashlar/core';

const BEGINNING = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';
const SPACE = /\s/g;
const BASE64 = /^[A-Za-z0-9+/=]+$/;

/**
 * The PEM text of a certificate bundle, given in base64; undefined if it contains no certificate. The
 * certificates are validated when connecting.
 */
export function readCertificates(bundle: string): string | undefined {
  const bytes = bytesOf(bundle);
  if (!bytes) return undefined;
  const text = new TextDecoder().decode(bytes);
  let count = 0;
  for (const body of bodiesIn(text)) {
    // A certificate is a sequence.
    if (bytesOf(body)?.[0] !== 0x30) return undefined;
    count++;
  }
  return count > 0 ? text : undefined;
}

/** The content between a BEGIN line and the next dashes, if those are an END line; without white space. */
function* bodiesIn(text: string): Generator<string> {
  for (let at = text.indexOf(BEGINNING); at >= 0; at = text.indexOf(BEGINNING, at)) {
    const start = at + BEGINNING.length;
    const dashes = text.indexOf('-----', start);
    if (dashes < 0) return;
    const body = text.slice(start, dashes);
    const base64 = body.replaceAll(SPACE, '');
    if (text.startsWith(END, dashes) && body.trimStart() !== body && BASE64.test(base64)) yield base64;
    at = dashes;
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return decodeBase64(base64);
  } catch (error) {
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}
