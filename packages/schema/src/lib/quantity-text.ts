import { TypedDecodeError } from './typed-decode-error.ts';

const SHAPE = /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/;
const WHOLE = /^(?:0|[1-9]\d{0,2})(?:[kMGTPE]|[KMGTPE]i)?$/;

/**
 * A quantity as it is printed again.
 * @throws TypedDecodeError for what is none
 */
export function canonicalQuantity(text: string): string {
  const trimmed = text.trim();
  if (WHOLE.test(trimmed)) return trimmed;
  if (SHAPE.test(trimmed))
    throw new TypedDecodeError(`the quantity ${trimmed} cannot be printed canonically yet`);
  throw new TypedDecodeError(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}
