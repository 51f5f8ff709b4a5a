import { type JsonObject, MAXIMUM_OBJECT_BYTES, ObjectTooLargeError, type Steps } from '@ashlar/core';

/** Items of lists and members of maps that are filled between two pauses. */
const MOST_ITEMS = 512;

/** The filling of one object with its defaults: which parts of it wait for their content, and by how much it grows. */
export class Filling {
  readonly #waiting: Steps<void>[] = [];
  #left: number = MOST_ITEMS - 1;
  #added = 0;

  /** Whether so many items may be filled before the next pause. Otherwise they wait. */
  takes(items: number): boolean {
    if (items > this.#left) return false;
    this.#left -= items;
    return true;
  }

  /** @param part a list or map that is in its place already, and gets its content later */
  postpone(part: Steps<void>): void {
    this.#waiting.push(part);
  }

  /** Counts bytes of the object that were not there before. */
  add(bytes: number): void {
    this.#added += bytes;
  }

  /** Counts what an object has that it had not; what is no text, as one byte. */
  addNew(before: JsonObject, after: JsonObject): void {
    for (const name in after) {
      const member = after[name];
      if (member !== undefined && before[name] === undefined)
        this.add(name.length + 4 + (typeof member === 'string' ? member.length + 2 : 1));
    }
  }

  /**
   * Whether to pause before another item.
   * @throws ObjectTooLargeError if an object as large as it is by now is refused: the rest need not be filled
   */
  isDue(): boolean {
    if (this.#left-- > 0) return false;
    if (this.#added > MAXIMUM_OBJECT_BYTES) throw new ObjectTooLargeError();
    this.#left = MOST_ITEMS - 1;
    return true;
  }

  /** Fills what waits. @throws ObjectTooLargeError */
  *restSteps(): Steps<void> {
    for (let part = this.#waiting.pop(); part; part = this.#waiting.pop()) yield* part;
  }
}
