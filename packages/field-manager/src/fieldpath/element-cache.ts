const CAPACITY = 10_000;
const MAXIMUM_KEY_LENGTH = 200;

/** Caches path elements: the same few names occur in every object, and equal elements are then identical. */
export class ElementCache<Element> {
  #elements: Map<unknown, Element> = new Map();

  get(key: unknown): Element | undefined {
    return this.#elements.get(key);
  }

  /** Stores an element, unless its key is long, and returns it. A full cache is emptied first. */
  add(key: unknown, element: Element): Element {
    if (typeof key === 'string' && key.length > MAXIMUM_KEY_LENGTH) return element;
    if (this.#elements.size >= CAPACITY) this.#elements = new Map();
    this.#elements.set(key, element);
    return element;
  }
}
