import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyPairWarnings } from './key-pair.ts';

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const ec = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 1024 });

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const long = content.length > 127 ? [0x82, content.length >> 8, content.length & 255] : [content.length];
  return Buffer.concat([Buffer.from([tag, ...long]), content]);
}

/** The fields of a certificate before and around its key, without a signature. */
function certificateOf(
  { publicKey }: KeyPair,
  bytes: Uint8Array = publicKey.export({ type: 'spki', format: 'der' }),
): string {
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const empty = der(0x30);
  return block(
    'CERTIFICATE',
    der(0x30, der(0x30, version, serial, empty, empty, empty, empty, bytes), empty),
  );
}

function block(type: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN ${type}-----\n${lines}\n-----END ${type}-----\n`;
}

const pem = ({ privateKey }: KeyPair, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8'): string =>
  privateKey.export({ type, format: 'pem' } as { type: 'pkcs8'; format: 'pem' }) as string;

const warnings = (certificate: string, key: string): readonly string[] =>
  keyPairWarnings(btoa(certificate), btoa(key));

describe('keyPairWarning', () => {
  it('accepts matching pairs, with each form of key', () => {
    const elliptic = ec();
    expect(warnings(certificateOf(elliptic), pem(elliptic))).toEqual([]);
    expect(warnings(certificateOf(elliptic), pem(elliptic, 'sec1'))).toEqual([]);
    const other = rsa();
    expect(warnings(certificateOf(other), pem(other))).toEqual([]);
    expect(warnings(certificateOf(other), pem(other, 'pkcs1'))).toEqual([]);
    const edwards = generateKeyPairSync('ed25519');
    expect(warnings(certificateOf(edwards), pem(edwards))).toEqual([]);
  });

  it('reports pairs that do not match', () => {
    expect(warnings(certificateOf(ec()), pem(ec()))).toEqual(['tls: private key does not match public key']);
    expect(warnings(certificateOf(rsa()), pem(rsa()))).toEqual([
      'tls: private key does not match public key',
    ]);
    expect(warnings(certificateOf(rsa()), pem(ec()))).toEqual([
      'tls: private key type does not match public key type',
    ]);
  });

  it('reports the kind of invalid content', () => {
    const pair = ec();
    expect(warnings(block('CERTIFICATE', Buffer.from('broken')), pem(pair))).toEqual([
      'x509: malformed certificate',
    ]);
    const broken = block('PRIVATE KEY', Buffer.from('broken'));
    expect(warnings(certificateOf(pair), broken)).toEqual(['tls: failed to parse private key']);
    const unknown = generateKeyPairSync('x25519');
    expect(warnings(certificateOf(unknown), pem(pair))).toEqual(['tls: unknown public key algorithm']);
  });

  it('finds them among other blocks and text', () => {
    const pair = ec();
    const parameters = block('EC PARAMETERS', Buffer.from([6, 0]));
    expect(warnings(`issued to a\n${certificateOf(pair)}`, parameters + pem(pair, 'sec1'))).toEqual([]);
  });

  it('returns at most one warning for any bytes', () => {
    const pair = ec();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(warnings(block('CERTIFICATE', bytes), pem(pair)).length).toBe(1);
        expect(warnings(certificateOf(pair, bytes), pem(pair)).length).toBe(1);
        expect(warnings(certificateOf(pair), block('PRIVATE KEY', bytes)).length).toBe(1);
      }),
    );
  });
});
