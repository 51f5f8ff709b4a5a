import { CodedError, type FieldError } from '@ashlar/core';

/** An encryption configuration cannot be used. */
export class EncryptionConfigurationError extends CodedError {
  static override readonly code: string = 'ERR_ENCRYPTION_CONFIGURATION';
  override readonly name: string = 'EncryptionConfigurationError';
  /** The errors of its fields; empty if it could not be read, or its rules mask each other. */
  readonly errors: readonly FieldError[];

  constructor(message: string, errors: readonly FieldError[] = [], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.errors = errors;
  }
}
