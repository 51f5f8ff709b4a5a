import { goQuote, type ObjectMeta, StatusError } from '@ashlar/core';

const LARGEST: bigint = (1n << 64n) - 1n;
/** Its number of digits: shorter ones are not larger. */
const LONGEST = 20;

/** Whether a text is a resource version: an unsigned integer of 64 bits. */
export const isResourceVersion = (text: string): boolean =>
  /^\d+$/.test(text) && isInRange(significantDigits(text));

/** The digits of a version behind its zeros: none for zero, which is no version, and for an empty text. */
export const significantDigits = (version: string): string => version.replace(/^0+/, '');

const isInRange = (digits: string): boolean =>
  digits.length < LONGEST || (digits.length === LONGEST && BigInt(digits) <= LARGEST);

/**
 * Returns the resource version of a submitted object, empty if it has none (semantics/status#situations).
 * @throws StatusError 500 without a reason if it is none, as on the reference
 */
export function readableVersion({ resourceVersion = '' }: ObjectMeta): string {
  if (resourceVersion === '' || isResourceVersion(resourceVersion)) return resourceVersion;
  const why = /^\d+$/.test(resourceVersion) ? 'value out of range' : 'invalid syntax';
  const message = `strconv.ParseUint: parsing ${goQuote(resourceVersion)}: ${why}`;
  throw new StatusError({ code: 500, reason: '', message });
}
