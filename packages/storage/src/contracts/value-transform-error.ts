import { CodedError } from '@ashlar/core';

/** A store that transforms values, such as by encryption, cannot read or write one. */
export class ValueTransformError extends CodedError {
  static override readonly code: string = 'ERR_VALUE_TRANSFORM';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'ValueTransformError';
}
