import { CodedError, goQuote, isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { ElementCache } from '../fieldpath/element-cache.ts';
import { keyElement, type PathElement, valueElement } from '../fieldpath/path-element.ts';
import type { ListType } from './field-type.ts';

/** An item that cannot be identified; the message says why. */
export class ListItemError extends CodedError {
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'ListItemError';
}

/**
 * The path element of an item of a granular list: its key fields, or itself in a set.
 *
 * @throws ListItemError for items without one
 */
export function listItemElement(list: ListType, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/**
 * The elements of the items of a list, in its order, each made when it is first asked for. One write walks the lists of its objects several
 * times: what was made of a list is found again, for values are immutable.
 */
export class ListElements {
  readonly #list: ListType;
  readonly #items: readonly JsonValue[];
  readonly #elements: PathElement[] = [];

  private constructor(list: ListType, items: readonly JsonValue[]) {
    this.#list = list;
    this.#items = items;
  }

  /** For large lists: small ones are faster without. */
  static of(list: ListType, items: readonly JsonValue[]): ListElements {
    const cached = listsWithElements.get(items);
    if (cached && cached.#list === list) return cached;
    const elements = new ListElements(list, items);
    listsWithElements.set(items, elements);
    return elements;
  }

  /** The element of the item at an index. @throws ListItemError as {@link listItemElement} does */
  at(index: number): PathElement {
    const cached = this.#elements[index];
    if (cached) return cached;
    const element = listItemElement(this.#list, this.#items[index] as JsonValue);
    if (index === this.#elements.length) this.#elements.push(element);
    return element;
  }
}

const listsWithElements: WeakMap<readonly JsonValue[], ListElements> = new WeakMap();

function keyedElement(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw new ListItemError('associative list with keys may not have a null element');
  if (!isJsonObject(item))
    throw new ListItemError('associative list with keys may not have non-map elements');
  const [name = ''] = list.keys;
  if (list.keys.length === 1) return singleKeyElement(list, name, keyValue(list, item, name));
  return keyElement(list.keys.map((key) => [key, keyValue(list, item, key)]));
}

/** Elements by the keys of the list, then by the value of the item. */
const elementCaches: WeakMap<readonly string[], ElementCache<PathElement>> = new WeakMap();

function singleKeyElement({ keys }: ListType, name: string, value: JsonValue): PathElement {
  if (typeof value !== 'string') return keyElement([[name, value]]);
  const elements = elementsOf(keys);
  return elements.get(value) ?? elements.add(value, keyElement([[name, value]]));
}

function elementsOf(keys: readonly string[]): ElementCache<PathElement> {
  let elements = elementCaches.get(keys);
  if (!elements) {
    elements = new ElementCache();
    elementCaches.set(keys, elements);
  }
  return elements;
}

function keyValue(list: ListType, item: JsonObject, name: string): JsonValue {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  if (value !== undefined) return value;
  const { map } = list.items;
  if (!map)
    throw new ListItemError(
      `couldn't find default value for ${name}: associative list may not have non-map types`,
    );
  const standard = map.defaults.get(name);
  if (standard !== undefined && standard !== null) return standard;
  throw new ListItemError(
    `associative list with keys has an element that omits key field ${goQuote(name)} (and doesn't have default value)`,
  );
}

function setElement(item: JsonValue): PathElement {
  if (item === null)
    throw new ListItemError("associative list without keys has an element that's an explicit null");
  if (isJsonObject(item))
    throw new ListItemError("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new ListItemError('not supported: associative list with lists as elements');
  return valueElement(item);
}
