import { type JsonValue, jsonSize, MAXIMUM_OBJECT_BYTES, ObjectTooLargeError } from '@ashlar/core';

/** Limits of the size of an object after defaulting. */
export interface DefaultLimits {
  /** Bytes of JSON of the whole object with its defaults, about; by default those of the largest body, 3145728. */
  readonly maximumBytes?: number;
}

/** Defaults of so few bytes are added without a look at how large the object is. */
const FEW_BYTES = 65_536;

/** Counts what defaults add to an object, before they use any memory, and ends that where the object would get too large. */
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
