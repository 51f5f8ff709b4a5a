import type { JsonObject } from '@ashlar/core';
import { type CelType, types } from '../check/types.ts';
import { currentEvaluation, work } from '../cost/work.ts';
import { Boxed, Double, isPlainObject, Uint, type Value } from './values.ts';

/** Keys as they are compared: equal integers of any type are the same. */
export type MapKey = string | number | bigint | boolean;

/** A map that is not a plain object. */
export abstract class MapValue extends Boxed {
  abstract readonly size: number;
  abstract get(key: MapKey): Value | undefined;
  abstract keys(): Iterable<Value>;
  get type(): CelType {
    return types.map();
  }
}

/** An entry of a computed map: its key, its value, and how many entries came before it. */
type CelMapEntry = readonly [key: Value, value: Value, place: number];

/**
 * A map of a literal or a computation. Maps derived from one another by adding entries share memory, so that
 * a loop which adds entry by entry takes constant time per entry: a map is a prefix of the entries.
 */
export class CelMap extends MapValue {
  readonly #entries: Map<MapKey, CelMapEntry>;
  readonly size: number;

  private constructor(entries: Map<MapKey, CelMapEntry>) {
    super();
    this.#entries = entries;
    this.size = entries.size;
  }

  /** The empty map. */
  static empty(): CelMap {
    return new CelMap(new Map());
  }

  /** The map of the keys, in comparable and in original form, and the values. */
  static of(entries: readonly (readonly [normal: MapKey, shown: Value, value: Value])[]): CelMap {
    return new CelMap(
      new Map(entries.map(([normal, shown, value], place) => [normal, [shown, value, place]])),
    );
  }

  /** The map with one more entry, or undefined if the key exists. */
  with(key: MapKey, shown: Value, value: Value): CelMap | undefined {
    if (this.#find(key)) return undefined;
    const entries = this.#entries.size === this.size ? this.#entries : this.#copy();
    entries.set(key, [shown, value, entries.size]);
    return new CelMap(entries);
  }

  get(key: MapKey): Value | undefined {
    return this.#find(key)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key, , place] of this.#entries.values()) {
      if (place >= this.size) return;
      yield key;
    }
  }

  #find(key: MapKey): CelMapEntry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry[2] < this.size ? entry : undefined;
  }

  /** Another map was derived from this one before. */
  #copy(): Map<MapKey, CelMapEntry> {
    work(this.size * STEPS_PER_KEY);
    return new Map([...this.#entries].slice(0, this.size));
  }
}

/** A key in comparable form, or undefined for an invalid one. */
export function mapKeyOf(value: Value): MapKey | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return value;
    default:
      if (value instanceof Uint) return value.value <= MAX_SAFE ? Number(value.value) : value.value;
      return value instanceof Double ? value.value : undefined;
  }
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether a value may be the key of a map literal: bool, int, uint or string. */
export function isKey(value: Value): boolean {
  const type = typeof value;
  if (type === 'string' || type === 'boolean' || type === 'bigint' || value instanceof Uint) return true;
  return Number.isSafeInteger(value);
}

/** Whether the value is a map. */
export function isMap(value: Value): value is JsonObject | MapValue {
  return value instanceof MapValue || isPlainObject(value);
}

/** Counts the steps of looking up a computed key: engines intern it first. */
export function workOfKey(key: MapKey): void {
  if (typeof key === 'string' && key.length > FEW_CHARACTERS) work(key.length * 2);
}

const FEW_CHARACTERS = 256;

/** The value of a key in a map, undefined if there is none. */
export function mapGet(map: JsonObject | MapValue, key: MapKey): Value | undefined {
  if (map instanceof MapValue) return map.get(key);
  return typeof key === 'string' && Object.hasOwn(map, key) ? (map[key] as Value | undefined) : undefined;
}

/** Number of keys that take negligible time. */
const FEW_KEYS = 32;
const STEPS_PER_KEY = 100;

interface CachedKeys {
  readonly map: object;
  readonly evaluation: number;
  readonly keys: readonly Value[];
}

/** The last two, as two maps are compared. */
const cachedKeys: (CachedKeys | undefined)[] = [undefined, undefined];

/** The keys of a map. Those of a large one are cached: data do not change during an evaluation. */
export function mapKeys(map: JsonObject | MapValue): readonly Value[] {
  const evaluation = currentEvaluation();
  for (const cached of cachedKeys)
    if (cached?.map === map && cached.evaluation === evaluation) return cached.keys;
  const keys = map instanceof MapValue ? [...map.keys()] : keysOfObject(map);
  if (keys.length <= FEW_KEYS) return keys;
  work(keys.length * STEPS_PER_KEY);
  cachedKeys.shift();
  cachedKeys.push({ map, evaluation, keys });
  return keys;
}

/** To list the members of an object with tens of thousands takes milliseconds, and their values several times as much. */
function keysOfObject(map: JsonObject): string[] {
  const names = Object.keys(map);
  const isPresent = (key: string): boolean => map[key] !== undefined;
  return names.every(isPresent) ? names : names.filter(isPresent);
}

/** Returns the number of entries of a map. */
export function mapSize(map: JsonObject | MapValue): number {
  return map instanceof MapValue ? map.size : mapKeys(map).length;
}
