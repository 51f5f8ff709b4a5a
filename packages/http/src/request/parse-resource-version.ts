import { goQuote, StatusError } from '@ashlar/core';

const LARGEST = String(2n ** 64n - 1n);

/**
 * Parses a `resourceVersion` parameter; undefined if it is absent or empty.
 * @throws StatusError 400 if it is not a 64-bit number
 */
export function parseResourceVersion(text: string | undefined): number | undefined {
  const error = resourceVersionError(text);
  if (error !== undefined)
    throw StatusError.badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${goQuote(text ?? '')}: ${error}`,
    );
  return text === undefined || text === '' ? undefined : Number(text);
}

/** Returns the error of a `resourceVersion` parameter, in the words of the reference server; undefined if it is valid. */
export function resourceVersionError(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const parsing = `strconv.ParseUint: parsing ${goQuote(text)}`;
  if (!/^\d+$/.test(text)) return `${parsing}: invalid syntax`;
  return isBeyond64Bits(text.replace(/^0+/, '')) ? `${parsing}: value out of range` : undefined;
}

/** Compares as text: the cost of converting many digits grows faster than their number. */
function isBeyond64Bits(digits: string): boolean {
  return digits.length === LARGEST.length ? digits > LARGEST : digits.length > LARGEST.length;
}
