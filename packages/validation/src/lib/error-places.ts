import type { FieldError } from '@ashlar/core';

/** Tells at once whether there is an error below a place, however many errors there are. */
export class ErrorPlaces {
  readonly #fields: readonly string[];

  constructor(errors: readonly FieldError[]) {
    this.#fields = errors.map(({ field }) => field).sort();
  }

  /** Whether some error's field is below a path. */
  below(path: string): boolean {
    const prefix = `${path}.`;
    let low = 0;
    let high = this.#fields.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#fields[middle] as string) < prefix) low = middle + 1;
      else high = middle;
    }
    return this.#fields[low]?.startsWith(prefix) ?? false;
  }
}
