import { type JsonValue, jsonSize, MAXIMUM_OBJECT_BYTES, ObjectTooLargeError } from '@ashlar/core';

/** Limits of the size of an object after defaulting. */
export interface DefaultLimits {
  /** Approximate maximum bytes of JSON of the object with its defaults; default that of bodies, 3145728. */
  readonly maximumBytes?: number;
  /** Approximate maximum bytes of JSON of the defaults themselves, 524288 by default. */
  readonly maximumAddedBytes?: number;
}

/** A small body costs little, whatever the schema adds to it (semantics/schemas#defaults, choice). */
const MAXIMUM_ADDED_BYTES = 512 * 1024;
/** Smaller defaults are added without measuring the object. */
const FEW_BYTES = 65_536;

/** Counts what defaults add to an object, before they use memory, and stops if the object would get too large. */
export class DefaultBudget {
  added = 0;
  readonly #object: JsonValue;
  readonly #limit: number;
  readonly #addedLimit: number;
  #own: number | undefined;

  constructor(object: JsonValue, limits: DefaultLimits = {}) {
    this.#object = object;
    this.#limit = limits.maximumBytes ?? MAXIMUM_OBJECT_BYTES;
    this.#addedLimit = limits.maximumAddedBytes ?? MAXIMUM_ADDED_BYTES;
  }

  /** @throws ObjectTooLargeError */
  spend(bytes: number): void {
    this.added += bytes;
    if (this.added <= FEW_BYTES && this.added <= this.#limit) return;
    if (this.added > this.#addedLimit)
      throw new ObjectTooLargeError(this.#addedLimit, `defaults add more than ${this.#addedLimit} bytes`);
    this.#own ??= jsonSize(this.#object, this.#limit);
    if (this.#own + this.added > this.#limit) throw new ObjectTooLargeError(this.#limit);
  }
}
