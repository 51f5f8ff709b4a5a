import type { PathElement } from './path-element.ts';

const CAPACITY = 10_000;
const LONGEST_KEY = 200;

/** Path elements that were made lately: the same few names come with every object, and equal elements are then the same one. */
export class ElementCache {
  #elements: Map<unknown, PathElement> = new Map();

  get(key: unknown): PathElement | undefined {
    return this.#elements.get(key);
  }

  /** Remembers an element, but for long keys; a full cache starts anew. */
  keep(key: unknown, element: PathElement): PathElement {
    if (typeof key === 'string' && key.length > LONGEST_KEY) return element;
    if (this.#elements.size >= CAPACITY) this.#elements = new Map();
    this.#elements.set(key, element);
    return element;
  }
}
