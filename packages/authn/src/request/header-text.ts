import { byteStringText } from '@ashlar/codec';
import { CodedError } from '@ashlar/core';

/** A header with a user's name contains bytes that are not UTF-8, which another decoding would read as a different name. */
export class UnreadableHeaderError extends CodedError {
  static override readonly code: string = 'ERR_UNREADABLE_HEADER';
  override readonly name: string = 'UnreadableHeaderError';
}

/**
 * Decodes a header field.
 * @throws UnreadableHeaderError
 */
export function headerText(header: string, value: string): string {
  const text = byteStringText(value);
  if (text === undefined) throw new UnreadableHeaderError(`the header ${header} is not UTF-8`);
  return text;
}

/** Decodes the percent escapes in the key of an extra field; a key with an invalid escape stays unchanged. */
export function extraFieldKey(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
