import { DER_OBJECT_IDENTIFIER, DER_SEQUENCE, DER_SET, DerError, DerReader } from './der.ts';

/** What authentication reads of a certificate (RFC 5280). */
export interface Certificate {
  /** The last common name of the subject; empty where it has none. */
  readonly commonName: string;
  /** Every organization of the subject, in order. */
  readonly organizations: readonly string[];
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

/**
 * Reads subject and validity of a certificate in DER. Nothing is verified: signatures are the listener's part.
 *
 * @throws DerError where the bytes are no certificate
 */
export function parseCertificate(der: Uint8Array): Certificate {
  const outer = new DerReader(der);
  const certificate = outer.inside(outer.next(DER_SEQUENCE));
  const signed = certificate.inside(certificate.next(DER_SEQUENCE));
  if (signed.peek() === 0xa0) signed.next(); // version
  signed.next(0x02); // serial number
  signed.next(DER_SEQUENCE); // signature algorithm
  signed.next(DER_SEQUENCE); // issuer
  const validity = signed.inside(signed.next(DER_SEQUENCE));
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  const subject = signed.inside(signed.next(DER_SEQUENCE));
  return { ...readNames(subject), notBefore, notAfter };
}

/** Object identifiers 2.5.4.3 and 2.5.4.10, as encoded. */
const COMMON_NAME = '55 04 03';
const ORGANIZATION = '55 04 0a';

function readNames(subject: DerReader): Pick<Certificate, 'commonName' | 'organizations'> {
  let commonName = '';
  const organizations: string[] = [];
  while (!subject.done) {
    const set = subject.inside(subject.next(DER_SET));
    while (!set.done) {
      const attribute = set.inside(set.next(DER_SEQUENCE));
      const type = hex(attribute.contents(attribute.next(DER_OBJECT_IDENTIFIER)));
      const value = readText(attribute);
      if (value === undefined) continue;
      if (type === COMMON_NAME) commonName = value;
      if (type === ORGANIZATION) organizations.push(value);
    }
  }
  return { commonName, organizations };
}

/** The text of a value; undefined where it is no text. */
function readText(reader: DerReader): string | undefined {
  const value = reader.next();
  const bytes = reader.contents(value);
  switch (value.tag) {
    case 0x0c: // UTF8String
      return decode('utf-8', bytes);
    case 0x12: // NumericString
    case 0x13: // PrintableString
    case 0x16: // IA5String
    case 0x1a: // VisibleString
    case 0x14: // TeletexString
      return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    case 0x1e: // BMPString
      return utf16(bytes);
    default:
      return undefined;
  }
}

function decode(encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DerError('a name that is no text');
  }
}

function utf16(bytes: Uint8Array): string {
  if (bytes.length % 2 !== 0) throw new DerError('a name that is no text');
  let text = '';
  for (let i = 0; i < bytes.length; i += 2) {
    text += String.fromCharCode((bytes[i] as number) * 256 + (bytes[i + 1] as number));
  }
  return text;
}

/** UTCTime (years 1950 to 2049) or GeneralizedTime, both to the second and in UTC (RFC 5280 section 4.1.2.5). */
function readTime(reader: DerReader): number {
  const value = reader.next();
  const text = Array.from(reader.contents(value), (byte) => String.fromCharCode(byte)).join('');
  const digits = value.tag === 0x17 ? 2 : value.tag === 0x18 ? 4 : 0;
  const match = /^(\d{2}|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match || match[1]?.length !== digits) throw new DerError('a time of no known form');
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

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
