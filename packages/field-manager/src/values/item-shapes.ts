import { isJsonObject, type JsonValue } from '@ashlar/core';
import { ShapeTree } from './shape-tree.ts';

/** Members of the remembered shapes, of which these are few: each of another shape is compared with all of them. */
const CAPACITY = 64;

/**
 * What was found out about the items of a large list, by the shapes of the items. Most of them have the same members, and what does not
 * depend on the values is found out once.
 */
export class ItemShapes<Value> {
  readonly #values: ShapeTree<Value> = new ShapeTree();

  /** What was found out about an item of the same shape. */
  get(item: JsonValue): Value | undefined {
    return isJsonObject(item) ? this.#values.get(item) : undefined;
  }

  /** Remembers it, unless the items have many shapes. */
  keep(item: JsonValue, value: Value): void {
    if (isJsonObject(item) && this.#values.size < CAPACITY) this.#values.set(item, value);
  }
}
