/** A JSONPath that cannot be read or followed; the message is the recorded text. */
export class JsonPathError extends Error {
  override readonly name: string = 'JsonPathError';
}
