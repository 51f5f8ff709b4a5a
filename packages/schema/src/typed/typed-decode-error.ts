import { CodedError } from '@ashlar/core';

/** A value, as messages call it, that is not of a Go type. */
export interface Mismatch {
  readonly value: string;
  readonly goType: string;
}

/**
 * The body does not match the Go type of the kind: the messages are those of semantics/verbs#decoding,
 * semantics/encodings#json,
 * `json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string`. It has no
 * stack, because bad input is an ordinary response.
 */
export class TypedDecodeError extends CodedError {
  /** What was found and the Go type that was expected, if that is the error: who knows the path better says it again. */
  readonly mismatch: Mismatch | undefined;

  static override readonly code: string = 'ERR_TYPED_DECODE';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'TypedDecodeError';

  /** What the error says if the value was read from a map, as after a strategic merge patch, and not from a text. */
  readonly ofMap: string;

  constructor(message: string, mismatch?: Mismatch, ofMap: string = message) {
    super(message);
    this.mismatch = mismatch;
    this.ofMap = ofMap;
  }
}
