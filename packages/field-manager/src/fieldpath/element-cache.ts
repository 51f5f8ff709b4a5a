const CAPACITY = 10_000;
const MAXIMUM_KEY_LENGTH = 200;
/** Number of elements that a full cache leaves out before it is emptied. */
const LEFT_OUT = 10 * CAPACITY;

/** Caches path elements: the same few names occur in every object, and equal elements are then identical. */
export class ElementCache<Element> {
  #elements: Map<unknown, Element> = new Map();
  #leftOut = 0;

  get(key: unknown): Element | undefined {
    return this.#elements.get(key);
  }

  /**
   * Stores an element, unless its key is long, and returns it. A full cache leaves out what is new: one object with more elements than fit
   * is walked several times, in the same order, and would find none of its elements again in a cache of the latest. After many
   * such elements it is emptied, since its own may not be asked for any more.
   */
  add(key: unknown, element: Element): Element {
    if (typeof key === 'string' && key.length > MAXIMUM_KEY_LENGTH) return element;
    if (this.#elements.size >= CAPACITY) {
      if (++this.#leftOut < LEFT_OUT) return element;
      this.#elements = new Map();
      this.#leftOut = 0;
    }
    this.#elements.set(key, element);
    return element;
  }
}
