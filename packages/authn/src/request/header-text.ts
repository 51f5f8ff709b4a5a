import { byteStringText } from '@ashlar/codec';

/** A header that says who somebody is holds bytes that are not UTF-8: whoever read them otherwise would know him by another name. */
export class UnreadableHeaderError extends Error {
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
