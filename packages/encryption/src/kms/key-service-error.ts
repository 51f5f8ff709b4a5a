import { CodedError } from '@ashlar/core';

/** A call to a key service failed. */
export class KeyServiceError extends CodedError {
  static override readonly code: string = 'ERR_KEY_SERVICE';
  override readonly name: string = 'KeyServiceError';
  /** The gRPC status as metrics name it: `Unavailable`, `DeadlineExceeded`. */
  readonly status: string;

  constructor(message: string, status: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}
