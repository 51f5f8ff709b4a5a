import type { JsonValue } from '@ashlar/core';
import { valuesEqual } from './compare-values.ts';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from './field-type.ts';
import { listItemElement } from './list-item.ts';
import type { PathElement } from './path-element.ts';
import { asList, asMap, isEmptyMap, memberOf, setMember } from './typed-value.ts';

type Side = JsonValue | undefined;

/**
 * Lays an applied configuration over a live value (semantics F6). Nothing is removed: what the configuration does not name stays. Both
 * must be valid for the type; only the live value may hold items twice, which then collapse to the one of the configuration.
 */
export function mergeTyped(live: JsonValue, config: JsonValue, type: FieldType): JsonValue {
  return merge(live, config, type);
}

/** The live value itself where nothing changes: what stays is shared. */
function merge(live: Side, config: JsonValue, type: FieldType): JsonValue {
  const shape = shapeFor(type, config);
  if (shape.kind === 'scalar') return replace(live, config);
  if (shape.kind === 'map') return mergeMaps(live, config, shape.map);
  return mergeLists(live, config, shape.list);
}

const replace = (live: Side, config: JsonValue): JsonValue =>
  live !== undefined && valuesEqual(live, config) ? live : config;

function mergeMaps(live: Side, config: JsonValue, type: MapType): JsonValue {
  if (type.isAtomic) return replace(live, config);
  const left = asMap(live);
  const right = asMap(config);
  // Where both are empty the configuration's form is kept: null and {} differ.
  if (isEmptyMap(right)) return live === undefined || isEmptyMap(left) ? config : live;
  let merged: Record<string, JsonValue> | undefined;
  for (const name in right) {
    const wanted = right[name];
    if (wanted === undefined) continue;
    const before = memberOf(left, name);
    const known = memberType(type, name);
    const after = known ? merge(before, wanted, known) : wanted;
    if (after === before) continue;
    merged ??= { ...left } as Record<string, JsonValue>;
    setMember(merged, name, after);
  }
  return merged ?? (live as JsonValue);
}

function mergeLists(live: Side, config: JsonValue, type: ListType): JsonValue {
  if (type.isAtomic) return replace(live, config);
  const left = asList(live) ?? [];
  const right = asList(config) ?? [];
  if (right.length === 0) return live === undefined || left.length === 0 ? config : live;
  const merged = new ListMerge(type, left, right).run();
  const isSame = merged.length === left.length && merged.every((item, index) => item === left[index]);
  return isSame && live !== undefined ? live : merged;
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
  /** Identities of what both have, in the order of the configuration. */
  readonly #shared: readonly string[];
  /** Which of the shared is the next that is due. */
  #due = 0;
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
        this.#due++;
        left++;
        right++;
      } else if (live && config && this.#isDueLater(live)) left++;
      else if (live && !this.#configValues.has(live.element.text)) {
        this.#result.push(live.value);
        left++;
      } else {
        if (live && this.#done.has(live.element.text)) left++;
        if (config) {
          this.#mergeItem(config);
          if (this.#shared[this.#due] === config.element.text) this.#due++;
          right++;
        }
      }
    }
    return this.#result;
  }

  #isDueLater({ element }: Item): boolean {
    const due = this.#shared[this.#due];
    return this.#configValues.has(element.text) && due !== undefined && due !== element.text;
  }

  #mergeItem({ element, value }: Item): void {
    this.#done.add(element.text);
    this.#result.push(merge(this.#liveValues.get(element.text), value, this.#type.items));
  }
}

function indexItems(items: readonly Item[]): Map<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const { element, value } of items) values.set(element.text, values.has(element.text) ? null : value);
  return values;
}
