import { type JsonValue, jsonSize, MAXIMUM_OBJECT_BYTES, ObjectTooLargeError } from '@ashlar/core';

/** Limits of the size of an object after defaulting. */
export interface DefaultLimits {
  /** Approximate maximum bytes of JSON of the object with its defaults; default that of bodies, 3145728. */
  readonly maximumBytes?: number;
}

/** Smaller defaults are added without measuring the object. */
const FEW_BYTES = 65_536;

/** Counts what defaults add to an object, before they use memory, and stops if the object would get too large. */
export class DefaultBudget {
  added = 0;
  readonly #object: JsonValue;
  readonly #limit: number;
  #own: number | undefined;

  constructor(object: JsonValue, { maximumBytes = MAXIMUM_OBJECT_BYTES }: DefaultLimits = {}) {
    this.#object = object;
    this.#limit = maximumBytes;
  }

  /** @throws ObjectTooLargeError */
  spend(bytes: number): void {
    this.added += bytes;
    if (this.added <= FEW_BYTES && this.added <= this.#limit) return;
    this.#own ??= jsonSize(this.#object, this.#limit);
    if (this.#own + this.added > this.#limit) throw new ObjectTooLargeError(this.#limit);
  }
}
