import type { FieldError } from '../errors/field-error.ts';

/**
 * Errors of large lists and maps that were found ahead, with pauses, so that checks that are made at once need not look for them again. Values are
 * immutable, and forgotten with their errors.
 */
export class ErrorsAhead<T extends object> {
  readonly #found: WeakMap<T, readonly FieldError[]> = new WeakMap();

  /** @param errors whose fields are relative to the value: empty, or as `[2].key` */
  add(value: T, errors: readonly FieldError[]): void {
    this.#found.set(value, errors);
  }

  has(value: T): boolean {
    return this.#found.has(value);
  }

  /** The errors of a value at a field; undefined if they were not looked for. */
  at(value: T, field: string): readonly FieldError[] | undefined {
    return this.#found.get(value)?.map((error) => ({ ...error, field: `${field}${error.field}` }));
  }
}
