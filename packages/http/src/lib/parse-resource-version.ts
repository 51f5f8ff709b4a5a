import { StatusError } from '@ashlar/core';

/**
 * Reads a `resourceVersion` parameter: absent and empty are undefined.
 * @throws StatusError 400 where it is no number of 64 bits
 */
export function parseResourceVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,20}$/.test(text)) {
    const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw StatusError.badRequest(`invalid resource version: ${why}`);
  }
  return Number(text);
}
