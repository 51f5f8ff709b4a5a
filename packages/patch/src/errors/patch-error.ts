import { CodedError } from '@ashlar/core';

/**
 * Why a patch is rejected:
 *
 * - `decode`: the patch itself cannot be read (400).
 * - `apply`: a JSON patch does not fit the document (422, text not shown).
 * - `too-many-operations`: more JSON patch operations than allowed (413).
 * - `too-large`: the result is larger than objects may be (413).
 * - `copy-limit`: `copy` operations add more bytes than allowed (422, text not shown).
 * - `bad-request`: a strategic merge patch is malformed or does not fit the kind (400).
 * - `unprocessable`: a strategic merge patch asks for what lists cannot do (422, text not shown).
 * - `conflict`: a three-way patch would overwrite changes of another client.
 * - `precondition`: a created patch changes what a precondition protects.
 *
 * The codes are those of semantics/patches#errors; this package itself knows no HTTP.
 */
export type PatchErrorKind =
  | 'decode'
  | 'apply'
  | 'too-many-operations'
  | 'too-large'
  | 'copy-limit'
  | 'bad-request'
  | 'unprocessable'
  | 'conflict'
  | 'precondition';

/**
 * The error of all patches. It has no stack: a patch that does not apply is an ordinary response.
 *
 * @example
 * const error = new PatchError('apply', 'testing value /a failed: test failed');
 * error.kind; // apply
 */
export class PatchError extends CodedError {
  static override readonly code: string = 'ERR_PATCH';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'PatchError';
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
