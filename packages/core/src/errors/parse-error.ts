import { CodedError } from './coded-error.ts';

/**
 * A text that cannot be read: selectors, quantities, times, durations, pointers; also bytes that are not DER. The message is for the caller and, where
 * semantics records one, literally the recorded text.
 */
export class ParseError extends CodedError {
  static override readonly code: string = 'ERR_PARSE';
  override readonly name: string = 'ParseError';
}
