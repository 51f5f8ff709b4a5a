import {
  doneSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  knownMembers,
  memberNames,
  type Steps,
} from '@ashlar/core';

/** The large lists and objects of a value, on which work pauses. */
export type LargeValues = ReadonlySet<JsonValue | undefined>;

/** Minimum content of a large list or object: values, each 64 characters of text counting as another one. */
const LARGE = 1024;

/** After how much weight others are let in: less than a millisecond. */
const EFFORT_BETWEEN_PAUSES = 8 * LARGE;

const ALL_SMALL: Steps<LargeValues> = doneSteps(new Set());
const NOTHING_KNOWN: KnownValues = { has: () => false };

/** Large values that were found before, with those directly inside of them: values are immutable, and most requests ask for them again. */
const found: WeakMap<object, readonly object[]> = new WeakMap();

/** Lists and objects that are known to be large. */
interface KnownValues {
  has(value: object): boolean;
}

/**
 * Finds the lists and objects with more than about a thousand values or 64 KiB of text. All others are small,
 * however many they are.
 * @param known large ones, inside of which nothing is looked for
 */
export function findLargeValues(value: JsonValue, known: KnownValues = NOTHING_KNOWN): Steps<LargeValues> {
  return isSmall(value, known) ? ALL_SMALL : findSteps(value, known);
}

function* findSteps(value: JsonValue, known: KnownValues): Steps<LargeValues> {
  const large = new Set<JsonValue>();
  if (addFound(large, value as JsonValue & object)) return large;
  const open: OpenValue[] = [new OpenValue(value)];
  let effort = 0;
  for (let last = open.at(-1); last; last = open.at(-1)) {
    if (effort > EFFORT_BETWEEN_PAUSES) {
      effort = 0;
      yield;
    }
    const inside = last.nextContainer();
    if (inside === undefined) {
      open.pop();
      effort += last.weight;
      if (last.weight > LARGE) {
        large.add(last.value);
        if (known === NOTHING_KNOWN) found.set(last.value as object, last.large);
      }
      open.at(-1)?.add(last);
    } else if (known.has(inside) || addFound(large, inside)) {
      large.add(inside);
      last.addLarge(inside, LARGE);
    } else {
      // most parts of long ones are small, and weighed without being opened
      const left = last.isLong ? spend(inside, LARGE, known) : -1;
      effort += LARGE - Math.max(left, 0);
      if (left >= 0) last.weight += LARGE - left;
      else open.push(new OpenValue(inside));
    }
  }
  return large;
}

/** Adds a large value that was found before, with all inside of it; whether there is one. */
function addFound(large: Set<JsonValue>, value: JsonValue & object): boolean {
  if (!found.has(value)) return false;
  const pending: object[] = [value];
  for (let next = pending.pop(); next; next = pending.pop()) {
    large.add(next as JsonValue);
    for (const inside of found.get(next) ?? []) pending.push(inside);
  }
  return true;
}

/** Whether to pause after a part of something large, which may be as large as anything small. */
export function isPausePoint(part: JsonValue | undefined, index: number): boolean {
  if (typeof part === 'object') return (index & 3) === 3;
  return (index & 63) === 63 || (typeof part === 'string' && part.length > 4096);
}

/** Whether a value is small; reads no more than that. */
export function isSmall(value: JsonValue, known: KnownValues = NOTHING_KNOWN): boolean {
  return spend(value, LARGE, known) >= 0;
}

/** Subtracts the weight of a value from a maximum; negative if there is more. As deep as the maximum at most. */
function spend(value: JsonValue | undefined, maximum: number, known: KnownValues): number {
  let left = maximum - ownWeight(value);
  if (typeof value !== 'object' || value === null) return left;
  if (known.has(value) || knownMembers(value) > left) return -1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = spend(value[i], left, known);
  } else {
    for (const key in value as JsonObject) {
      left = spend((value as JsonObject)[key], left - 1, known);
      if (left < 0) break;
    }
  }
  return left;
}

const ownWeight = (value: JsonValue | undefined): number =>
  typeof value === 'string' ? 1 + (value.length >> 6) : 1;

/**
 * Parts of what is long: to open each of them costs more than to weigh it. Those of others are opened at once, since lists may be nested
 * hundreds of times around a large one, which would be weighed for each of them.
 */
const LONG = 64;

/** A list or object in progress. */
class OpenValue {
  readonly value: JsonValue;
  weight = 1;
  /** The large values directly inside of it. */
  readonly large: object[] = [];
  readonly #keys: readonly string[] | undefined;
  #next = 0;

  constructor(value: JsonValue) {
    this.value = value;
    this.#keys = isJsonObject(value) ? memberNames(value) : undefined;
  }

  get isLong(): boolean {
    const { length } = this.#keys ?? (this.value as readonly JsonValue[]);
    return length > LONG;
  }

  /** Counts a part that was opened. */
  add(part: OpenValue): void {
    if (part.weight > LARGE) this.addLarge(part.value as object, part.weight);
    else this.weight += part.weight;
  }

  addLarge(part: object, weight: number): void {
    this.large.push(part);
    this.weight += weight;
  }

  /** The next container among its parts; those before it are weighed. */
  nextContainer(): (JsonValue & object) | undefined {
    const keys = this.#keys;
    const value = this.value as Record<string | number, JsonValue> & readonly JsonValue[];
    const length = keys ? keys.length : value.length;
    while (this.#next < length) {
      const part = value[keys ? (keys[this.#next++] as string) : this.#next++];
      if (typeof part === 'object' && part !== null) return part;
      this.weight += ownWeight(part);
    }
    return undefined;
  }
}
