import { ParseError, runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  certificateProblemSteps,
  readCertificateRequestSteps,
  type SignedRequest,
} from './certificate-bytes.ts';

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const long = content.length > 127 ? [0x82, content.length >> 8, content.length & 255] : [content.length];
  return Buffer.concat([Buffer.from([tag, ...long]), content]);
}

const block = (type: string, bytes: Uint8Array): string =>
  `-----BEGIN ${type}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${type}-----\n`;

const ORGANIZATION = der(0x06, Buffer.from('55040a', 'hex'));
const organization = (tag: number, value: Buffer): Buffer =>
  der(0x31, der(0x30, ORGANIZATION, der(tag, value)));
const key = der(0x30, der(0x30), der(0x03, Buffer.from([0])));
const algorithm = der(0x30, der(0x06, Buffer.from('2b6570', 'hex')));
const signature = der(0x03, Buffer.from([0, 1]));
const integer = der(0x02, Buffer.from([0]));

function requestOf(...names: readonly Buffer[]): string {
  const info = der(0x30, integer, der(0x30, ...names), key, der(0xa0));
  return block('CERTIFICATE REQUEST', der(0x30, info, algorithm, signature));
}

const certificate = der(
  0x30,
  der(0x30, integer, der(0x30), der(0x30), der(0x30), der(0x30), key),
  algorithm,
  signature,
);

const certificateProblem = (text: string): string | undefined =>
  runAtOnce(certificateProblemSteps(btoa(text)));
const readCertificateRequest = (text: string): SignedRequest =>
  runAtOnce(readCertificateRequestSteps(btoa(text)));

describe('a request of a certificate', () => {
  it('returns the requested organizations, in each string type', () => {
    const wide = Buffer.from('dev', 'utf16le').swap16();
    const text = requestOf(organization(0x0c, Buffer.from('ops')), organization(0x1e, wide));
    expect(readCertificateRequest(text)).toMatchObject({ commonName: '', organizations: ['ops', 'dev'] });
    expect(readCertificateRequest(requestOf()).organizations).toEqual([]);
  });

  it('is rejected if it is something else', () => {
    expect(() => readCertificateRequest('hello')).toThrow('PEM block type must be CERTIFICATE REQUEST');
    expect(() => readCertificateRequest(block('CERTIFICATE', certificate))).toThrow(ParseError);
    expect(() => readCertificateRequest(block('CERTIFICATE REQUEST', certificate))).toThrow(ParseError);
    expect(() => readCertificateRequest(block('CERTIFICATE REQUEST', Buffer.from('x')))).toThrow(ParseError);
  });

  it('never fails otherwise, for any bytes', () => {
    const whole = Buffer.from(
      requestOf(organization(0x0c, Buffer.from('ops'))).split('\n')[1] ?? '',
      'base64',
    );
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const broken = Buffer.from(whole);
        broken[at] = byte;
        try {
          readCertificateRequest(block('CERTIFICATE REQUEST', broken));
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
  });
});

describe('an issued chain', () => {
  it('consists of certificates only', () => {
    const one = block('CERTIFICATE', certificate);
    expect(certificateProblem(one + one)).toBeUndefined();
    expect([...certificateProblemSteps(btoa(one.repeat(50)))].length).toBeGreaterThanOrEqual(50);
    expect(certificateProblem('hello')).toBe('must contain at least one CERTIFICATE PEM block');
    expect(certificateProblem(one + requestOf())).toBe(
      'only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
    );
    expect(certificateProblem(one.replace('\n', '\nA: b\n\n'))).toBe('no PEM block headers are permitted');
    expect(certificateProblem(block('CERTIFICATE', Buffer.from('x')))).toBe('x509: malformed certificate');
  });
});
