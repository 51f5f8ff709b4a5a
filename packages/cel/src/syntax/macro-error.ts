import { CodedError } from '@ashlar/core';

/** Why a macro cannot be expanded; `position` is the call's own by default. */
export class MacroError extends CodedError {
  static override readonly code: string = 'ERR_MACRO';
  override readonly name: string = 'MacroError';
  readonly position: number | undefined;
  constructor(message: string, position?: number) {
    super(message);
    this.position = position;
  }
}
