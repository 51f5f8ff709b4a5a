import { isJsonObject, type JsonObject, type JsonValue, type Steps, setMember } from '@ashlar/core';
import type { Filler, PartFiller } from './filler.ts';
import type { Filling } from './filling.ts';

export function asObjectPart(filler: Filler | undefined): PartFiller | undefined {
  return filler && ((value, filling) => (isJsonObject(value) ? filler(value, filling) : value));
}

export function asListPart(filler: Filler | undefined): PartFiller | undefined {
  if (!filler) return undefined;
  const fill: PartFiller = (item, filling) => (isJsonObject(item) ? filler(item, filling) : item);
  return (value, filling) => {
    if (!Array.isArray(value)) return value;
    if (!filling.takes(value.length)) return fillLater(value, fill, filling);
    const filled = value.map((item) => fill(item, filling));
    return filled.every((item, index) => item === value[index]) ? value : filled;
  };
}

function fillLater(list: readonly JsonValue[], fill: PartFiller, filling: Filling): JsonValue {
  const filled: JsonValue[] = [];
  filling.postpone(listSteps(list, filled, fill, filling));
  return filled;
}

function* listSteps(
  list: readonly JsonValue[],
  filled: JsonValue[],
  fill: PartFiller,
  filling: Filling,
): Steps<void> {
  for (const item of list) {
    if (filling.isDue()) yield;
    filled.push(fill(item, filling));
  }
}

/** @param fill of each value */
export function asMapPart(fill: PartFiller): PartFiller {
  return (value, filling) => {
    if (!isJsonObject(value)) return value;
    const names = Object.keys(value);
    if (!filling.takes(names.length)) return fillMapLater(value, names, fill, filling);
    const filled = names.map((name) => fill(value[name] as JsonValue, filling));
    return filled.every((member, index) => member === value[names[index] as string])
      ? value
      : Object.fromEntries(names.map((name, index) => [name, filled[index]]));
  };
}

function fillMapLater(
  map: JsonObject,
  names: readonly string[],
  fill: PartFiller,
  filling: Filling,
): JsonObject {
  const filled: Record<string, JsonValue> = {};
  filling.postpone(mapSteps(map, names, filled, fill, filling));
  return filled;
}

function* mapSteps(
  map: JsonObject,
  names: readonly string[],
  filled: Record<string, JsonValue>,
  fill: PartFiller,
  filling: Filling,
): Steps<void> {
  for (const name of names) {
    if (filling.isDue()) yield;
    setMember(filled, name, fill(map[name] as JsonValue, filling));
  }
}
