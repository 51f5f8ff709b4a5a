import { DerTag, type DerValue, ParseError, readDer, toHex } from '@ashlar/core';

/** The comparable part of a public key. */
export interface PublicKey {
  /** Undefined if TLS servers do not support it. */
  readonly algorithm: 'RSA' | 'EC' | 'Ed25519' | undefined;
  /** Identifies the key; undefined if that would need cryptography. */
  readonly key: string | undefined;
}

/** Object identifiers as encoded, in hexadecimal digits. */
const ALGORITHMS: Readonly<Record<string, 'RSA' | 'EC' | 'Ed25519'>> = {
  '2a864886f70d010101': 'RSA',
  '2a8648ce3d0201': 'EC',
  '2b6570': 'Ed25519',
};

const VERSION = 0xa0;
const EC_PUBLIC_KEY = 0xa1;

/** Returns the public key of a certificate in DER (RFC 5280, section 4.1); undefined for anything else. */
export function readCertificateKey(certificate: Uint8Array): PublicKey | undefined {
  const fields = sequence(sequence(derOf(certificate))?.[0]);
  if (!fields) return undefined;
  const [identifier, bits] = sequence(fields[fields[0]?.tag === VERSION ? 6 : 5]) ?? [];
  if (!identifier || bits?.tag !== DerTag.bitString) return undefined;
  const algorithm = algorithmOf(identifier);
  const key = bits.content.subarray(1);
  return { algorithm, key: algorithm === 'RSA' ? modulus(sequence(derOf(key)), 0) : toHex(key) };
}

/**
 * The public key of a private one in DER: RSA (RFC 8017), EC (RFC 5915), or either inside PKCS #8 (RFC 5208);
 * undefined for others.
 */
export function readPrivateKey(bytes: Uint8Array): PublicKey | undefined {
  const fields = sequence(derOf(bytes));
  const [version, second, third] = fields ?? [];
  if (!fields || version?.tag !== DerTag.integer) return undefined;
  if (second?.tag === DerTag.integer)
    return fields.length >= 9 ? { algorithm: 'RSA', key: modulus(fields, 1) } : undefined;
  if (second?.tag === DerTag.octetString) return ellipticKey(fields);
  if (second?.tag !== DerTag.sequence || third?.tag !== DerTag.octetString) return undefined;
  const algorithm = algorithmOf(second);
  if (algorithm === 'Ed25519') return { algorithm, key: undefined };
  const inner = algorithm && readPrivateKey(third.content);
  return inner && inner.algorithm === algorithm ? inner : undefined;
}

function ellipticKey(fields: readonly DerValue[]): PublicKey {
  const bits = fields.find(({ tag }) => tag === EC_PUBLIC_KEY)?.children[0];
  return { algorithm: 'EC', key: bits && toHex(bits.content.subarray(1)) };
}

const sequence = (node: DerValue | undefined): readonly DerValue[] | undefined =>
  node?.tag === DerTag.sequence ? node.children : undefined;

const modulus = (fields: readonly DerValue[] | undefined, index: number): string | undefined =>
  fields?.[index] && toHex(fields[index].content);

const algorithmOf = (identifier: DerValue): PublicKey['algorithm'] =>
  identifier.children[0] && ALGORITHMS[toHex(identifier.children[0].content)];

function derOf(bytes: Uint8Array): DerValue | undefined {
  try {
    return readDer(bytes);
  } catch (error) {
    if (ParseError.is(error)) return undefined;
    throw error;
  }
}
