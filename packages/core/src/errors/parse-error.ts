/**
 * A text that cannot be read: selectors, quantities, times, durations, pointers; also bytes that are no DER. The message is for the caller and, where
 * semantics records one, literally the recorded text.
 */
export class ParseError extends Error {
  override readonly name: string = 'ParseError';
}
