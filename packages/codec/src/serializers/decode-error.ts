import { CodedError } from '@ashlar/core';

/** What a body says that it is. */
type SaidKind = { readonly apiVersion: string; readonly kind: string };

/**
 * Why a document was not read: `malformed` is not what its encoding says; `too-large` may be, but has more values than are read,
 * which servers answer with 413.
 */
export type DecodeErrorKind = 'malformed' | 'too-large';

/** What does not read as its encoding says. The message is the text that clients see after `json parse error:` and the like. */
export class DecodeError extends CodedError {
  static override readonly code: string = 'ERR_DECODE';
  override readonly name: string = 'DecodeError';
  /** As of the cause, where that is another `DecodeError`. */
  readonly kind: DecodeErrorKind;
  /** What the body says that it is, where that was read although the rest could not be. */
  readonly body: SaidKind | undefined;

  constructor(message: string, cause?: unknown, body?: SaidKind, kind?: DecodeErrorKind) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, cause === undefined ? undefined : { cause });
    Error.stackTraceLimit = limit;
    this.body = body;
    this.kind = kind ?? (cause instanceof DecodeError ? cause.kind : 'malformed');
  }
}
