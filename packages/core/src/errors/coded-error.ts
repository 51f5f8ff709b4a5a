/**
 * What the errors of all packages have in common: a `code` that stays the same from release to release, and `is`, which recognises an
 * error by it. Where a package is installed twice its classes exist twice, and `instanceof` knows the errors of one copy only.
 *
 * @example
 * class LimitError extends CodedError {
 *   static override readonly code: string = 'ERR_LIMIT';
 * }
 * new LimitError('too many').code; // ERR_LIMIT
 */
export abstract class CodedError extends Error {
  static readonly code: string = 'ERR_CODED';

  /** As of the class: `ERR_PARSE`. docs/errors.md lists them. */
  get code(): string {
    return (this.constructor as typeof CodedError).code;
  }

  /** Whether an error is of this class or of one that extends it, whichever copy of the package made it. */
  static is<T extends CodedError>(
    this: { readonly code: string } & (abstract new (...values: never) => T),
    error: unknown,
  ): error is T {
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked is often one that extends this one
    return hasClassCode(error, this.code);
  }
}

/** Whether the class of an error, or one that it extends, has the code. */
export function hasClassCode(error: unknown, code: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  let type: unknown = error.constructor;
  while (typeof type === 'function') {
    if ((type as { readonly code?: unknown }).code === code) return true;
    type = Object.getPrototypeOf(type);
  }
  return false;
}
