import {
  DerTag,
  type DerValue,
  decodeBase64Steps,
  ParseError,
  type PemBlock,
  pemBlocks,
  piecesOf,
  readDer,
  type Steps,
  toHex,
} from '@ashlar/core';
import { readCertificateKey } from '../../keys/public-key.ts';
import type { Signed } from './request-signature.ts';

const REQUEST = 'CERTIFICATE REQUEST';
const CERTIFICATE = 'CERTIFICATE';
/** `organizationName` (RFC 4519, section 2.19) as encoded, in hexadecimal digits. */
const ORGANIZATION = '55040a';
/** `commonName` (RFC 4519, section 2.3). */
const COMMON_NAME = '550403';
const BMP_STRING = 0x1e;
/** Attributes of a request: `[0]`, constructed. */
const ATTRIBUTES = 0xa0;

/** The requested identity of a certificate. */
interface CertificateSubject {
  /** The last one; empty if there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** A parsed request, including what is needed to verify its signature. */
export interface SignedRequest extends CertificateSubject {
  readonly signed: Signed;
}

/**
 * The requested subject in the first PEM block of a text in base64, in PKCS #10 (RFC 2986, section 4). The
 * signature of the request is not verified here.
 *
 * @throws ParseError if there is none
 */
export function* readCertificateRequestSteps(base64: string): Steps<SignedRequest> {
  const block = yield* firstBlockSteps(yield* textSteps(base64));
  if (block?.type !== REQUEST) throw new ParseError(`PEM block type must be ${REQUEST}`);
  yield;
  return signedRequestOf(readDer(block.bytes));
}

function* textSteps(base64: string): Steps<string> {
  const text = new TextDecoder().decode(yield* decodeBase64Steps(base64));
  yield;
  return text;
}

function* firstBlockSteps(text: string): Steps<PemBlock | undefined> {
  for (const block of pemBlocks(text)) {
    if (block) return block;
    yield;
  }
  return undefined;
}

function signedRequestOf(certificateRequest: DerValue): SignedRequest {
  const [info, algorithm, signature] = sequence(certificateRequest, 3);
  const [version, subject, key, attributes] = sequence(info, 3);
  sequence(algorithm, 1);
  sequence(key, 2);
  if (version?.tag !== DerTag.integer || signature?.tag !== DerTag.bitString)
    throw new ParseError('malformed certificate request');
  if (attributes && attributes.tag !== ATTRIBUTES) throw new ParseError('malformed request attributes');
  const names = sequence(subject, 0);
  return {
    commonName: valuesOf(names, COMMON_NAME).at(-1) ?? '',
    organizations: valuesOf(names, ORGANIZATION),
    signed: {
      bytes: encoded(certificateRequest, 0),
      keyBytes: encoded(info as DerValue, 2),
      algorithm: algorithm as DerValue,
      key: key as DerValue,
      signature,
    },
  };
}

/** A nested value with its tag and length. */
function encoded({ content, children }: DerValue, place: number): Uint8Array {
  const before = children[place - 1]?.content;
  const { content: own } = children[place] as DerValue;
  const start = before ? before.byteOffset + before.length : content.byteOffset;
  return content.subarray(start - content.byteOffset, own.byteOffset + own.length - content.byteOffset);
}

/**
 * Why a text in base64 is not a chain of certificates: PEM blocks of certificates only, without headers; undefined if
 * it is one (semantics/access#certificate-signing-requests). It pauses after each certificate.
 */
export function* certificateProblemSteps(base64: string): Steps<string | undefined> {
  const text = yield* textSteps(base64);
  let isEmpty = true;
  for (const block of pemBlocks(text)) {
    yield;
    if (!block) continue;
    // headers are looked for behind the first block: without one they are not the problem
    if (isEmpty && (yield* hasHeadersSteps(text))) return 'no PEM block headers are permitted';
    isEmpty = false;
    const problem = blockProblem(block);
    if (problem !== undefined) return problem;
  }
  return isEmpty ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** Whether the first line of a block is a header. */
function* hasHeadersSteps(text: string): Steps<boolean> {
  let isFirst = false;
  let lines = 0;
  for (const line of piecesOf(text, '\n')) {
    if (isFirst && line.indexOf(':') > 0) return true;
    isFirst = beginsBlock(line.trimEnd());
    if (++lines % STRIDE === 0) yield;
  }
  return false;
}

/** Lines that are read between pauses. */
const STRIDE = 4096;

function beginsBlock(line: string): boolean {
  return line.startsWith('-----BEGIN ') && line.endsWith('-----') && line.length >= 16;
}

function blockProblem({ type, bytes }: PemBlock): string | undefined {
  if (type !== CERTIFICATE) return `only CERTIFICATE PEM blocks are allowed, found "${type}"`;
  return readCertificateKey(bytes) ? undefined : 'x509: malformed certificate';
}

function valuesOf(names: readonly DerValue[], attribute: string): readonly string[] {
  return names.flatMap(({ children: parts }) =>
    parts.flatMap(({ children: [type, value] }) =>
      type && value && toHex(type.content) === attribute ? [stringOf(value)] : [],
    ),
  );
}

function stringOf({ tag, content }: DerValue): string {
  return new TextDecoder(tag === BMP_STRING ? 'utf-16be' : 'utf-8').decode(content);
}

/** @throws ParseError */
function sequence(value: DerValue | undefined, least: number): readonly DerValue[] {
  if (value?.tag !== DerTag.sequence || value.children.length < least)
    throw new ParseError('malformed certificate request');
  return value.children;
}
