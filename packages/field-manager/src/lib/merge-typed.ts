import type { JsonObject, JsonValue } from '@ashlar/core';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from './field-type.ts';
import { listItemElement } from './list-item.ts';
import type { PathElement } from './path-element.ts';
import { asList, asMap, mapOf, memberOf, members } from './typed-value.ts';

type Side = JsonValue | undefined;

/**
 * Lays an applied configuration over a live value (semantics F6). Nothing is removed: what the configuration does not name stays. Both
 * must be valid for the type; only the live value may hold items twice, which then collapse to the one of the configuration.
 */
export function mergeTyped(live: JsonValue, config: JsonValue, type: FieldType): JsonValue {
  return merge(live, config, type) ?? null;
}

/** Undefined where a granular value has nothing in it. */
function merge(live: Side, config: Side, type: FieldType): Side {
  const shape = shapeFor(type, config === undefined ? live : config);
  if (shape.kind === 'scalar') return prefer(live, config);
  if (shape.kind === 'map') return mergeMaps(live, config, shape.map);
  return mergeLists(live, config, shape.list);
}

const prefer = (live: Side, config: Side): Side => (config === undefined ? live : config);

function mergeMaps(live: Side, config: Side, type: MapType): Side {
  const left = asMap(live);
  const right = asMap(config);
  // Where both are empty the configuration's form is kept: null and {} differ.
  if (type.isAtomic || (isEmpty(left) && isEmpty(right))) return prefer(live, config);
  const names = new Set([...members(left), ...members(right)].map(([name]) => name));
  const merged: [string, JsonValue][] = [];
  for (const name of names) {
    const value = mergeMember(left, right, name, type);
    if (value !== undefined) merged.push([name, value]);
  }
  return unlessChanged(live, merged);
}

const isEmpty = (map: JsonObject | undefined): boolean => members(map).length === 0;

function mergeMember(
  left: JsonObject | undefined,
  right: JsonObject | undefined,
  name: string,
  type: MapType,
): Side {
  const live = memberOf(left, name);
  const config = memberOf(right, name);
  const known = memberType(type, name);
  return known ? merge(live, config, known) : prefer(live, config);
}

/** Keeps the live map where it has exactly these members, so that what does not change stays shared. */
function unlessChanged(live: Side, merged: readonly (readonly [string, JsonValue])[]): Side {
  if (merged.length === 0) return undefined;
  const map = asMap(live);
  const isSame =
    members(map).length === merged.length && merged.every(([name, value]) => memberOf(map, name) === value);
  return isSame ? live : mapOf(merged);
}

function mergeLists(live: Side, config: Side, type: ListType): Side {
  const left = asList(live) ?? [];
  const right = asList(config) ?? [];
  if (type.isAtomic || (left.length === 0 && right.length === 0)) return prefer(live, config);
  const merged = new ListMerge(type, left, right).run();
  if (merged.length === 0) return undefined;
  const isSame = merged.length === left.length && merged.every((item, index) => item === left[index]);
  return isSame ? live : merged;
}

interface Item {
  readonly element: PathElement;
  readonly value: JsonValue;
}

/**
 * Goes through both lists at once. Items of the configuration come in its order; items that only the live list has keep their place
 * among their live neighbours; a shared item that is not yet due is left for its place in the configuration.
 */
class ListMerge {
  readonly #type: ListType;
  readonly #live: readonly Item[];
  readonly #config: readonly Item[];
  /** Live items by identity; null for those that are there twice. */
  readonly #liveValues: ReadonlyMap<string, JsonValue>;
  readonly #configValues: ReadonlyMap<string, JsonValue>;
  /** Identities of what both have, in the order of the configuration; the first is the next that is due. */
  readonly #shared: string[];
  readonly #done: Set<string> = new Set();
  readonly #result: JsonValue[] = [];

  constructor(type: ListType, live: readonly JsonValue[], config: readonly JsonValue[]) {
    this.#type = type;
    this.#live = live.map((value) => ({ value, element: listItemElement(type, value) }));
    this.#config = config.map((value) => ({ value, element: listItemElement(type, value) }));
    this.#liveValues = indexItems(this.#live);
    this.#configValues = indexItems(this.#config);
    this.#shared = this.#config
      .map(({ element }) => element.text)
      .filter((text) => this.#liveValues.has(text));
  }

  run(): JsonValue[] {
    let left = 0;
    let right = 0;
    while (left < this.#live.length || right < this.#config.length) {
      const live = this.#live[left];
      const config = this.#config[right];
      if (live && config && live.element.text === config.element.text) {
        this.#mergeItem(config);
        this.#shared.shift();
        left++;
        right++;
      } else if (live && config && this.#isDueLater(live)) left++;
      else if (live && !this.#configValues.has(live.element.text)) {
        this.#push(merge(live.value, undefined, this.#type.items));
        left++;
      } else {
        if (live && this.#done.has(live.element.text)) left++;
        if (config) {
          this.#mergeItem(config);
          if (this.#shared[0] === config.element.text) this.#shared.shift();
          right++;
        }
      }
    }
    return this.#result;
  }

  #isDueLater({ element }: Item): boolean {
    const due = this.#shared[0];
    return this.#configValues.has(element.text) && due !== undefined && due !== element.text;
  }

  #mergeItem({ element, value }: Item): void {
    this.#done.add(element.text);
    this.#push(merge(this.#liveValues.get(element.text), value, this.#type.items));
  }

  #push(value: Side): void {
    if (value !== undefined) this.#result.push(value);
  }
}

function indexItems(items: readonly Item[]): Map<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const { element, value } of items) values.set(element.text, values.has(element.text) ? null : value);
  return values;
}
