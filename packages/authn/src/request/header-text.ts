import { byteStringText } from '@ashlar/codec';
import { CodedError } from '@ashlar/core';

/** A header that says who somebody is holds bytes that are not UTF-8: whoever read them otherwise would know him by another name. */
export class UnreadableHeaderError extends CodedError {
  static override readonly code: string = 'ERR_UNREADABLE_HEADER';
  override readonly name: string = 'UnreadableHeaderError';
}

/**
 * What a line of a header says.
 * @throws UnreadableHeaderError
 */
export function headerText(header: string, value: string): string {
  const text = byteStringText(value);
  if (text === undefined) throw new UnreadableHeaderError(`the header ${header} is not UTF-8`);
  return text;
}
