import { CodedError } from '@ashlar/core';

/** A stored value cannot be decrypted, or a value cannot be encrypted. The messages are those of the reference. */
export class DecryptionError extends CodedError {
  static override readonly code: string = 'ERR_DECRYPTION';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'DecryptionError';
}
