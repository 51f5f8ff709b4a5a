import { CodedError } from './coded-error.ts';

/**
 * Text that cannot be parsed: selectors, quantities, times, durations, pointers, DER. The message is for the
 * caller, and the recorded text where semantics records one. It has no stack, because bad input is an ordinary
 * response.
 */
export class ParseError extends CodedError {
  static override readonly code: string = 'ERR_PARSE';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'ParseError';
}
