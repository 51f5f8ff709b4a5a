import { PrintedValue, parseTime, printedTime } from '@ashlar/core';

const UNSET = '0001-01-01T00:00:00Z';

/**
 * Returns a time as errors of fields show it, `2024-01-02 03:04:05 +0000 UTC`; the zero time for none.
 * @throws ParseError if it is no time (RFC 3339)
 */
export function timeInMessage(time: string | null | undefined): PrintedValue {
  return new PrintedValue(printedTime(parseTime(time || UNSET)));
}
