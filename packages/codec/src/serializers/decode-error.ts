import { CodedError } from '@ashlar/core';

/** The kind that a body declares. */
type SaidKind = { readonly apiVersion: string; readonly kind: string };

/**
 * Why a document was rejected: `malformed` is invalid in its encoding; `too-large` may be valid, but has too
 * many values, which servers answer with 413.
 */
export type DecodeErrorKind = 'malformed' | 'too-large';

/** The error for a body that cannot be decoded. The message is the text that clients see after `json parse error:` and the like. */
export class DecodeError extends CodedError {
  static override readonly code: string = 'ERR_DECODE';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'DecodeError';
  /** As of the cause, where that is another `DecodeError`. */
  readonly kind: DecodeErrorKind;
  /** The kind that the body declares, if it was decoded before the error. */
  readonly body: SaidKind | undefined;

  constructor(message: string, cause?: unknown, body?: SaidKind, kind?: DecodeErrorKind) {
    super(message, cause === undefined ? undefined : { cause });
    this.body = body;
    this.kind = kind ?? (cause instanceof DecodeError ? cause.kind : 'malformed');
  }
}
