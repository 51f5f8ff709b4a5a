/**
 * Base class of all errors: a `code` that stays the same from release to release, and `is`, which recognises
 * an error by it. A package that is installed twice has its classes twice, and `instanceof` recognises the
 * errors of one copy only.
 *
 * @example
 * class LimitError extends CodedError {
 *   static override readonly code: string = 'ERR_LIMIT';
 * }
 * new LimitError('too many').code; // ERR_LIMIT
 */
export abstract class CodedError extends Error {
  static readonly code: string = 'ERR_CODED';
  /** Whether errors of the class have a stack. Those that are ordinary responses have none, which makes them cheap. */
  protected static readonly isTraced: boolean = true;

  constructor(message?: string, options?: ErrorOptions) {
    const limit = Error.stackTraceLimit;
    if (!new.target.isTraced) Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = limit;
  }

  /** As of the class: `ERR_PARSE`. docs/errors.md lists them. */
  get code(): string {
    return (this.constructor as typeof CodedError).code;
  }

  /** Whether an error is an instance of this class or of a subclass, whichever copy of the package created it. */
  static is<T extends CodedError>(
    this: { readonly code: string } & (abstract new (...values: never) => T),
    error: unknown,
  ): error is T {
    // biome-ignore lint/complexity/noThisInStatic: the receiver is often a subclass
    return hasClassCode(error, this.code);
  }
}

/** Whether the class of an error, or a superclass, has the code. */
export function hasClassCode(error: unknown, code: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  let type: unknown = error.constructor;
  while (typeof type === 'function') {
    if ((type as { readonly code?: unknown }).code === code) return true;
    type = Object.getPrototypeOf(type);
  }
  return false;
}
