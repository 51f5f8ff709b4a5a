import { doneSteps, isJsonObject, type JsonValue, type Steps } from '@ashlar/core';

/** The large lists and objects of a value, on which work pauses. */
export type LargeValues = ReadonlySet<JsonValue | undefined>;

/** Minimum content of a large list or object: values, each 64 characters of text counting as another one. */
const LARGE = 1024;

const ALL_SMALL: Steps<LargeValues> = doneSteps(new Set());

/**
 * Finds the lists and objects with more than about a thousand values or 64 KiB of text. All others are small,
 * however many they are.
 */
export function findLargeValues(value: JsonValue): Steps<LargeValues> {
  return isSmall(value) ? ALL_SMALL : findSteps(value);
}

function* findSteps(value: JsonValue): Steps<LargeValues> {
  const large = new Set<JsonValue>();
  const open: OpenValue[] = [new OpenValue(value)];
  let count = 0;
  for (let last = open.at(-1); last; last = open.at(-1)) {
    if (++count % LARGE === 0) yield;
    const inside = last.nextContainer();
    if (inside !== undefined) {
      open.push(new OpenValue(inside));
      continue;
    }
    open.pop();
    if (last.weight > LARGE) large.add(last.value);
    const around = open.at(-1);
    if (around) around.weight += last.weight;
  }
  return large;
}

/** Whether to pause after a part of something large, which may be as large as anything small. */
export function isPausePoint(part: JsonValue | undefined, index: number): boolean {
  if (typeof part === 'object') return (index & 3) === 3;
  return (index & 63) === 63 || (typeof part === 'string' && part.length > 4096);
}

/** Whether a value is small; reads no more than that. */
export function isSmall(value: JsonValue): boolean {
  return spend(value, LARGE) >= 0;
}

/** Subtracts the weight of a value from a maximum; negative if there is more. As deep as the maximum at most. */
function spend(value: JsonValue | undefined, maximum: number): number {
  let left = maximum - ownWeight(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = spend(value[i], left);
  } else if (isJsonObject(value)) {
    for (const key in value) {
      left = spend(value[key], left - 1);
      if (left < 0) break;
    }
  }
  return left;
}

const ownWeight = (value: JsonValue | undefined): number =>
  typeof value === 'string' ? 1 + (value.length >> 6) : 1;

/** A list or object in progress. */
class OpenValue {
  readonly value: JsonValue;
  weight = 1;
  readonly #keys: readonly string[] | undefined;
  #next = 0;

  constructor(value: JsonValue) {
    this.value = value;
    this.#keys = isJsonObject(value) ? Object.keys(value) : undefined;
  }

  /** The next container among its parts; those before it are weighed. */
  nextContainer(): JsonValue | undefined {
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
