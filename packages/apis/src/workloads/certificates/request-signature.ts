import { type DerValue, readDer, toHex } from '@ashlar/core';

/** Parameters of an algorithm for WebCrypto. */
interface SignatureAlgorithm {
  readonly name: 'RSASSA-PKCS1-v1_5' | 'RSA-PSS' | 'ECDSA' | 'Ed25519';
  readonly hash?: string;
  readonly saltLength?: number;
}

const rsa = (hash: string): SignatureAlgorithm => ({ name: 'RSASSA-PKCS1-v1_5', hash });
const ecdsa = (hash: string): SignatureAlgorithm => ({ name: 'ECDSA', hash });

/** Object identifiers as encoded, in hexadecimal digits. */
const ALGORITHMS: Readonly<Record<string, SignatureAlgorithm>> = {
  '2a864886f70d010105': rsa('SHA-1'),
  '2a864886f70d01010b': rsa('SHA-256'),
  '2a864886f70d01010c': rsa('SHA-384'),
  '2a864886f70d01010d': rsa('SHA-512'),
  '2a8648ce3d0401': ecdsa('SHA-1'),
  '2a8648ce3d040302': ecdsa('SHA-256'),
  '2a8648ce3d040303': ecdsa('SHA-384'),
  '2a8648ce3d040304': ecdsa('SHA-512'),
  '2b6570': { name: 'Ed25519' },
};

/** An RSA signature whose parameters contain its hash and salt (RFC 8017, A.2.3). */
const PSS = '2a864886f70d01010a';
const HASHES: Readonly<Record<string, string>> = {
  '608648016503040201': 'SHA-256',
  '608648016503040202': 'SHA-384',
  '608648016503040203': 'SHA-512',
};
const [HASH, SALT_LENGTH] = [0xa0, 0xa2];

/** Curves, with the size of their integers in bytes. */
const CURVES: Readonly<Record<string, { readonly namedCurve: string; readonly size: number }>> = {
  '2a8648ce3d030107': { namedCurve: 'P-256', size: 32 },
  '2b81040022': { namedCurve: 'P-384', size: 48 },
  '2b81040023': { namedCurve: 'P-521', size: 66 },
};

/** The parts of a signed structure: the encoded content, algorithm and key. */
export interface Signed {
  readonly bytes: Uint8Array;
  readonly algorithm: DerValue;
  /** `SubjectPublicKeyInfo`, encoded and parsed. */
  readonly keyBytes: Uint8Array;
  readonly key: DerValue;
  readonly signature: DerValue;
}

/** Verifies a signature; undefined for unsupported algorithms. */
export async function isSignedByKey(signed: Signed): Promise<boolean | undefined> {
  const algorithm = algorithmOf(signed.algorithm);
  if (!algorithm) return undefined;
  const curve = CURVES[toHex(signed.key.children[0]?.children[1]?.content ?? new Uint8Array())];
  if (algorithm.name === 'ECDSA' && !curve) return undefined;
  const bits = signed.signature.content.subarray(1);
  try {
    const signature = algorithm.name === 'ECDSA' && curve ? fixedWidthSignature(bits, curve.size) : bits;
    const imported = {
      ...algorithm,
      ...(algorithm.name === 'ECDSA' && { namedCurve: curve?.namedCurve ?? '' }),
    };
    const key = await crypto.subtle.importKey('spki', owned(signed.keyBytes), imported, false, ['verify']);
    return await crypto.subtle.verify(algorithm, key, owned(signature), owned(signed.bytes));
  } catch {
    // an invalid key or signature, or two of different kinds
    return false;
  }
}

function algorithmOf(value: DerValue): SignatureAlgorithm | undefined {
  if (identifier(value) !== PSS) return ALGORITHMS[identifier(value)];
  const parameter = (tag: number): DerValue | undefined =>
    value.children[1]?.children.find((each) => each.tag === tag)?.children[0];
  const named = parameter(HASH);
  const hash = named && HASHES[identifier(named)];
  const saltLength = parameter(SALT_LENGTH)?.content.reduce((sum, byte) => sum * 256 + byte, 0) ?? 20;
  return hash === undefined ? undefined : { name: 'RSA-PSS', hash, saltLength };
}

const identifier = ({ children }: DerValue): string => toHex(children[0]?.content ?? new Uint8Array());

const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** The two integers of a DER signature, concatenated, in the size of the curve. */
function fixedWidthSignature(bits: Uint8Array, size: number): Uint8Array {
  const integers = new Uint8Array(2 * size);
  for (const [place, { content }] of readDer(bits).children.slice(0, 2).entries()) {
    const digits = content.subarray(Math.max(0, content.length - size));
    integers.set(digits, place * size + size - digits.length);
  }
  return integers;
}
