import { goQuote, StatusError } from '@ashlar/core';

const LARGEST = String(2n ** 64n - 1n);

/**
 * Reads a `resourceVersion` parameter: absent and empty are undefined.
 * @throws StatusError 400 where it is no number of 64 bits
 */
export function parseResourceVersion(text: string | undefined): number | undefined {
  const fault = resourceVersionFault(text);
  if (fault !== undefined)
    throw StatusError.badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${goQuote(text ?? '')}: ${fault}`,
    );
  return text === undefined || text === '' ? undefined : Number(text);
}

/** What is wrong with a `resourceVersion` parameter, in the words of the reference's parser. */
export function resourceVersionFault(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const parsing = `strconv.ParseUint: parsing ${goQuote(text)}`;
  if (!/^\d+$/.test(text)) return `${parsing}: invalid syntax`;
  return isBeyond64Bits(text.replace(/^0+/, '')) ? `${parsing}: value out of range` : undefined;
}

/** Compared as text: what converting many digits costs grows faster than their number. */
function isBeyond64Bits(digits: string): boolean {
  return digits.length === LARGEST.length ? digits > LARGEST : digits.length > LARGEST.length;
}
