import {
  goQuote,
  ipAddressText,
  parseCidr,
  parseIpAddress,
  productName,
  type Vocabulary,
} from '@ashlar/core';

/** Warns of an address that is accepted, although it is not in canonical form. */
export function addressWarnings(path: string, text: string, vocabulary: Vocabulary): readonly string[] {
  const why = addressProblem(text);
  if (why) return [future(vocabulary, path, 'IP address', why)];
  const address = parseIpAddress(text);
  const canonical = address && ipAddressText(address);
  return canonical === undefined || address?.length === 4 || canonical === text
    ? []
    : [notCanonical(path, 'address', text, canonical)];
}

/** Warns of a range of addresses that is accepted, although it is not in canonical form. */
export function cidrWarnings(path: string, text: string, vocabulary: Vocabulary): readonly string[] {
  const slash = text.lastIndexOf('/');
  const bits = text.slice(slash + 1);
  const address = addressProblem(text.slice(0, slash));
  const problem =
    address ?? (/^(0|[1-9]\d*)$/.test(bits) ? undefined : `bad bits after slash: ${goQuote(bits)}`);
  const parsed = parseCidr(text);
  if (problem || !parsed) {
    const why = problem ?? "no '/'";
    return [future(vocabulary, path, 'IP prefix', `netip.ParsePrefix(${goQuote(text)}): ${why}`)];
  }
  const canonical = `${ipAddressText(parsed.address)}/${parsed.prefixLength}`;
  return parsed.address.length === 4 || canonical === text
    ? []
    : [notCanonical(path, 'prefix', text, canonical)];
}

function future(vocabulary: Vocabulary, path: string, what: string, why: string): string {
  return `${path}: ${what} was accepted, but will be invalid in a future ${productName(vocabulary)} release: ${why}`;
}

const notCanonical = (path: string, what: string, text: string, canonical: string): string =>
  `${path}: IPv6 ${what} ${goQuote(text)} is not in RFC 5952 canonical format (${goQuote(canonical)}), which may cause controller apply-loops`;

/** Why newer parsers refuse an address that older ones accepted. */
function addressProblem(text: string): string | undefined {
  const because = (why: string): string => `ParseAddr(${goQuote(text)}): ${why}`;
  if (!parseIpAddress(text)) return because('unable to parse IP');
  const hasLeadingZero = !text.includes(':') && /(^|\.)0\d/.test(text);
  return hasLeadingZero ? because('IPv4 field has octet with leading zero') : undefined;
}
