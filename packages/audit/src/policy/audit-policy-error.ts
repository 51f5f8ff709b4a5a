import { CodedError, type FieldError } from '@ashlar/core';

/** An audit policy cannot be used. */
export class AuditPolicyError extends CodedError {
  static override readonly code: string = 'ERR_AUDIT_POLICY';
  override readonly name: string = 'AuditPolicyError';
  /** The errors of its fields; empty if it could not be read. */
  readonly errors: readonly FieldError[];

  constructor(message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.errors = errors;
  }
}
