import {
  doneSteps,
  type JsonObject,
  type JsonValue,
  knownMembers,
  memberNames,
  rememberMemberNames,
  type Steps,
} from '@ashlar/core';

/** Maximum number of values in a map or list that is processed without a pause. */
const SMALL = 128;
/** Values up to which nothing is looked for in an object. */
const SMALL_OBJECT = 2048;
/** Values that are worked on between two pauses. */
const VALUES_PER_STEP = 1024;
/** Work units of a small map or list: most have few values. */
const VALUES_OF_SMALL = 8;

/** Large maps and lists. Values are immutable, so results are valid for all who work on one. */
const large: WeakSet<object> = new WeakSet();
const NO_NAMES: readonly string[] = [];

/** Whether it is a large map or list: work on it pauses. */
export function isLarge(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && large.has(value);
}

/** Names of the members of a map, which may be undefined. */
export function namesOf(map: JsonObject | undefined): readonly string[] {
  return map ? memberNames(map) : NO_NAMES;
}

/** Marks a map or list built from large parts as large, too; with the names of a map's members. */
export function markLarge<T extends Container>(value: T, names: readonly string[] = NO_NAMES): T {
  large.add(value);
  rememberMemberNames(value, names);
  return value;
}

let done = 0;

/** Counts work; returns whether it is time for a pause. */
export function isDue(values = 1): boolean {
  done += values;
  if (done < VALUES_PER_STEP) return false;
  done = 0;
  return true;
}

/** Returns the work units of a part that is processed without a pause. */
export function effortFor(value: JsonValue | undefined): number {
  return typeof value === 'object' ? VALUES_OF_SMALL : 1;
}

/** Finds out what in these values is large. Work that pauses begins with it. */
export function weighAll(...values: readonly unknown[]): Steps<void> {
  const unknown = values.filter((value) => isContainer(value) && !large.has(value) && !isSmallObject(value));
  return unknown.length === 0 ? NOTHING_LARGE : weighEach(unknown as readonly Container[]);
}

const NOTHING_LARGE: Steps<void> = doneSteps(undefined);

function* weighEach(values: readonly Container[]): Steps<void> {
  for (const value of values) yield* weigh(value);
}

type Container = JsonObject | readonly JsonValue[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

function isSmallObject(value: Container): boolean {
  return spend(value, SMALL_OBJECT) >= 0;
}

/** Subtracts the number of a part's values from a maximum; negative if there are more. */
function spend(value: Container, values: number): number {
  if (large.has(value) || knownMembers(value) > values) return -1;
  let left = values;
  if (Array.isArray(value)) {
    left -= value.length;
    for (let i = 0; i < value.length && left >= 0; i++) {
      if (isContainer(value[i])) left = spend(value[i] as Container, left);
    }
    return left;
  }
  for (const name in value) {
    const part = (value as JsonObject)[name];
    left--;
    if (isContainer(part)) left = spend(part, left);
    if (left < 0) break;
  }
  return left;
}

interface Frame {
  readonly value: Container;
  /** Undefined for lists. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  at: number;
  weight: number;
}

function frameOf(value: Container): Frame {
  const names = Array.isArray(value) ? undefined : memberNames(value);
  return { value, names, length: names?.length ?? (value as readonly JsonValue[]).length, at: 0, weight: 0 };
}

/** Traverses without recursion: depth has not been checked yet. */
function* weigh(value: Container): Steps<void> {
  const frames = [frameOf(value)];
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (isDue()) yield;
    if (frame.at < frame.length) {
      const part = nextPart(frame);
      frame.weight++;
      // what is large inside of it is known, too
      if (isLarge(part)) frame.weight += SMALL;
      else if (isContainer(part)) frames.push(frameOf(part));
      continue;
    }
    frames.pop();
    if (frame.weight > SMALL) large.add(frame.value);
    const above = frames.at(-1);
    if (above) above.weight += frame.weight;
  }
}

function nextPart(frame: Frame): JsonValue | undefined {
  const at = frame.at++;
  if (!frame.names) return (frame.value as readonly JsonValue[])[at];
  return (frame.value as JsonObject)[frame.names[at] as string];
}
