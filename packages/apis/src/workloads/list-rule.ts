import { ErrorsAhead, type FieldError, type Steps } from '@ashlar/core';
import { each, eachSteps } from './field-rules.ts';

/** Items up to which a list is short: validated where it stands. */
const SHORT = 1024;

/**
 * The rule of the items of a list, each by itself. Long lists are validated ahead, with pauses, so that an object is validated in one piece all
 * the same.
 */
export class ListRule<T> {
  readonly #errorsOf: (item: T, path: string) => readonly FieldError[];
  readonly #ahead: ErrorsAhead<readonly T[]> = new ErrorsAhead();

  constructor(errorsOf: (item: T, path: string) => readonly FieldError[]) {
    this.#errorsOf = errorsOf;
  }

  /** Errors of the items of a list, each at its index. */
  errors(path: string, list: readonly T[] | null | undefined): readonly FieldError[] {
    return (list && this.#ahead.at(list, path)) ?? each(path, list, this.#errorsOf);
  }

  /** Validates a long list, after which `errors` knows its errors at any path. */
  *aheadSteps(list: readonly T[] | null | undefined): Steps<void> {
    if (!list || list.length <= SHORT || this.#ahead.has(list)) return;
    this.#ahead.add(list, yield* eachSteps('', list, this.#errorsOf));
  }
}
