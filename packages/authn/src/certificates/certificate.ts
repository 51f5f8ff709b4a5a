import { DerTag, type DerValue, ParseError, readDer, toHex } from '@ashlar/core';

/** The fields of a certificate that authentication uses (RFC 5280). */
export interface Certificate {
  /** The last common name of the subject; empty if it has none. */
  readonly commonName: string;
  /** Every organization of the subject, in order. */
  readonly organizations: readonly string[];
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

/**
 * Reads subject and validity of a certificate in DER. Nothing is verified: the listener verifies signatures.
 *
 * @throws ParseError if the bytes are not a certificate
 */
export function parseCertificate(der: Uint8Array): Certificate {
  const [signed] = inside(readDer(der), DerTag.sequence);
  const fields = inside(signed, DerTag.sequence);
  const [serial, algorithm, issuer, validity, subject] =
    fields[0]?.tag === VERSION ? fields.slice(1) : fields;
  expectTag(serial, DerTag.integer);
  expectTag(algorithm, DerTag.sequence);
  expectTag(issuer, DerTag.sequence);
  const [notBefore, notAfter] = inside(validity, DerTag.sequence);
  return {
    ...readNames(inside(subject, DerTag.sequence)),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
  };
}

const VERSION = 0xa0;

/** Returns the children of a value with the given tag. */
const inside = (value: DerValue | undefined, tag: number): readonly DerValue[] =>
  expectTag(value, tag).children;

function expectTag(value: DerValue | undefined, tag: number): DerValue {
  if (!value) throw new ParseError('an end where a value should be');
  if (value.tag !== tag) throw new ParseError(`tag ${value.tag} instead of ${tag}`);
  return value;
}

/** Object identifiers 2.5.4.3 and 2.5.4.10, as encoded. */
const COMMON_NAME = '550403';
const ORGANIZATION = '55040a';

function readNames(subject: readonly DerValue[]): Pick<Certificate, 'commonName' | 'organizations'> {
  let commonName = '';
  const organizations: string[] = [];
  for (const attribute of subject.flatMap((set) => inside(set, DerTag.set))) {
    const [identifier, value] = inside(attribute, DerTag.sequence);
    const type = toHex(expectTag(identifier, DerTag.objectIdentifier).content);
    const text = readText(value);
    if (text === undefined) continue;
    if (type === COMMON_NAME) commonName = text;
    if (type === ORGANIZATION) organizations.push(text);
  }
  return { commonName, organizations };
}

/** Returns the text of a value; undefined if it is not a text. */
function readText(value: DerValue | undefined): string | undefined {
  if (!value) throw new ParseError('an end where a value should be');
  const { tag, content } = value;
  switch (tag) {
    case 0x0c: // UTF8String
      return decode('utf-8', content);
    case 0x12: // NumericString
    case 0x13: // PrintableString
    case 0x16: // IA5String
    case 0x1a: // VisibleString
      return asciiText(content);
    case 0x14: // TeletexString
      return latinText(content);
    case 0x1e: // BMPString
      return utf16(content);
    default:
      return undefined;
  }
}

function asciiText(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new ParseError('a name that is not a text');
  return latinText(bytes);
}

/** One character per byte. */
const latinText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

function decode(encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ParseError('a name that is not a text');
  }
}

function utf16(bytes: Uint8Array): string {
  if (bytes.length % 2 !== 0) throw new ParseError('a name that is not a text');
  let text = '';
  for (let i = 0; i < bytes.length; i += 2) {
    text += String.fromCharCode((bytes[i] as number) * 256 + (bytes[i + 1] as number));
  }
  return text;
}

/** UTCTime (years 1950 to 2049) or GeneralizedTime, both to the second and in UTC (RFC 5280 section 4.1.2.5). */
function readTime(value: DerValue | undefined): number {
  const text = latinText(value?.content ?? new Uint8Array());
  const digits = value?.tag === 0x17 ? 2 : value?.tag === 0x18 ? 4 : 0;
  const match = /^(\d{2}|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match || match[1]?.length !== digits) throw new ParseError('a time of no known form');
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const full = digits === 4 ? year : year < 50 ? 2000 + year : 1900 + year;
  const time = new Date(0);
  time.setUTCFullYear(full, month - 1, day);
  time.setUTCHours(hour, minute, second);
  return time.getTime();
}
