import { CodedError } from '@ashlar/core';

/**
 * The body does not match the Go type of the kind: the messages are those of semantics/verbs#decoding,
 * semantics/encodings#json,
 * `json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string`. It has no
 * stack, because bad input is an ordinary response.
 */
export class TypedDecodeError extends CodedError {
  static override readonly code: string = 'ERR_TYPED_DECODE';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'TypedDecodeError';
}
