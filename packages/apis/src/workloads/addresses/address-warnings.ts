import {
  goQuote,
  parseStrictAddress,
  parseStrictPrefix,
  productName,
  type StrictAddress,
  strictAddressText,
  type Vocabulary,
} from '@ashlar/core';

/** Warns of an address that is accepted, although it is not in canonical form. */
export function addressWarnings(path: string, text: string, vocabulary: Vocabulary): readonly string[] {
  const address = parseStrictAddress(text);
  if (typeof address === 'string') return [future(vocabulary, path, 'IP address', address)];
  const canonical = strictAddressText(address);
  return isCanonical(address, text, canonical) ? [] : [notCanonical(path, 'address', text, canonical)];
}

/** Warns of a range of addresses that is accepted, although it is not in canonical form. */
export function cidrWarnings(path: string, text: string, vocabulary: Vocabulary): readonly string[] {
  const prefix = parseStrictPrefix(text);
  if (typeof prefix === 'string') return [future(vocabulary, path, 'IP prefix', prefix)];
  const canonical = `${strictAddressText(prefix.address)}/${prefix.bits}`;
  return isCanonical(prefix.address, text, canonical) ? [] : [notCanonical(path, 'prefix', text, canonical)];
}

/** Only IPv6 has several notations of the same address. */
const isCanonical = ({ bytes }: StrictAddress, text: string, canonical: string): boolean =>
  bytes.length === 4 || text === canonical;

function future(vocabulary: Vocabulary, path: string, what: string, why: string): string {
  return `${path}: ${what} was accepted, but will be invalid in a future ${productName(vocabulary)} release: ${why}`;
}

const notCanonical = (path: string, what: string, text: string, canonical: string): string =>
  `${path}: IPv6 ${what} ${goQuote(text)} is not in RFC 5952 canonical format (${goQuote(canonical)}), which may cause controller apply-loops`;
