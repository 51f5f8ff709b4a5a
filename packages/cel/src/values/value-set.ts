import { work } from '../cost/work.ts';
import { valuesEqual } from './equality.ts';
import { isMap, type MapKey, mapGet, mapKeyOf, mapKeys } from './maps.ts';
import { numeric } from './numbers.ts';
import {
  type Boxed,
  Duration,
  isError,
  listItems,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
  type Value,
} from './values.ts';

/** Number of characters that the hash of a text reads. */
const HASHED_CHARACTERS = 64;
/** Steps per value of a list or map. */
const STEPS_PER_VALUE = 20;

/** A set of values by equality: lookups take time by the size of the value, not of the set. */
export class ValueSet {
  readonly #buckets = new Map<MapKey | null, Value[]>();

  constructor(values: readonly Value[] = []) {
    for (const value of values) this.add(value);
  }

  /** Whether an equal value is in the set. */
  has(value: Value): boolean {
    const bucket = this.#buckets.get(keyOf(value));
    return bucket !== undefined && includes(bucket, value);
  }

  /** Adds a value; false if an equal one is already in the set. */
  add(value: Value): boolean {
    const key = keyOf(value);
    const bucket = this.#buckets.get(key);
    if (!bucket) this.#buckets.set(key, [value]);
    else if (includes(bucket, value)) return false;
    // What equals nothing, as NaN does, is not looked up.
    else if (valuesEqual(value, value)) bucket.push(value);
    return true;
  }
}

function includes(bucket: readonly Value[], value: Value): boolean {
  if (bucket.length > 1) work(bucket.length);
  for (const item of bucket) if (valuesEqual(item, value)) return true;
  return false;
}

/** One key for equal values, and mostly for no others. */
function keyOf(value: Value): MapKey | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const number = numeric(value);
  return number === undefined ? `#${hashOf(value)}` : Number(number);
}

/** A hash of 32 bits that equal values share. The order of lists does not count, since sets ignore it. */
function hashOf(value: Value): number {
  if (typeof value === 'string') return hashOfText(value);
  if (typeof value === 'boolean' || value === null) return value ? 3 : 5;
  const number = numeric(value);
  if (number !== undefined) return mixed(Number(number) % 0x7fffffff);
  if (value instanceof Uint8Array) return mixed(value.length);
  const items = listItems(value);
  if (items) return mixed(sumOf(items, hashOf));
  if (isMap(value)) {
    return mixed(sumOf(mapKeys(value), (key) => hashOfMember(key, mapGet(value, mapKeyOf(key) as MapKey))));
  }
  return hashOfBoxed(value as Boxed);
}

function hashOfBoxed(value: Boxed): number {
  if (value instanceof Timestamp || value instanceof Duration) return mixed(value.seconds * 31 + value.nanos);
  if (value instanceof Optional) return value.value === undefined ? 7 : mixed(hashOf(value.value));
  if (value instanceof TypeValue) return hashOfText(value.of.name);
  if (value instanceof ObjectValue) {
    return mixed(sumOf([...value.fields()], (name) => hashOfMember(name, value.get(name))));
  }
  return isError(value) ? 11 : hashOfText(value.type.name);
}

const hashOfMember = (key: Value, value: Value | undefined): number =>
  mixed(hashOf(key) + (value === undefined ? 0 : mixed(hashOf(value))));

function sumOf<T>(values: readonly T[], hash: (value: T) => number): number {
  work(values.length * STEPS_PER_VALUE);
  let sum = values.length;
  for (const value of values) sum = (sum + hash(value)) | 0;
  return sum;
}

function hashOfText(text: string): number {
  let hash = text.length;
  const end = Math.min(text.length, HASHED_CHARACTERS);
  for (let i = 0; i < end; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return mixed(hash);
}

const mixed = (hash: number): number => Math.imul((hash | 0) ^ 0x5bd1e995, 0x27d4eb2f) | 0;
