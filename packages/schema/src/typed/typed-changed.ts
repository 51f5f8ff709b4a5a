import {
  type ChangedCopy,
  type JsonObject,
  type JsonValue,
  MANY_MEMBERS,
  noteChangedCopy,
  ownMember,
  setMember,
} from '@ashlar/core';
import { isSmall } from '../structural/large-values.ts';
import { TypedContext } from './typed-context.ts';
import { TypedDecodeError } from './typed-decode-error.ts';
import { isSorted, sortedCopy } from './typed-map-order.ts';
import type { TypedNode } from './typed-node.ts';

/**
 * Decodes a large list or map of which all but a few parts were decoded before as a part of the same type. Undefined if that is not
 * sufficient: if a part is wrong, large, or something is to be reported, all of it has to be decoded.
 */
export function decodeChanged(
  { shape }: TypedNode,
  value: JsonObject | readonly JsonValue[],
  copy: ChangedCopy,
  context: TypedContext,
): JsonValue | undefined {
  if (shape.kind !== 'map' && shape.kind !== 'list') return undefined;
  const parts = decodeParts(shape.inside, value, copy.changed, context);
  // what has lost many members may be empty
  if (!parts || (parts.size === 0 && copy.changed.size >= MANY_MEMBERS)) return undefined;
  if (Array.isArray(value)) return withItems(value, parts);
  const map = withMembers(value as JsonObject, parts);
  return mayBeUnsorted(map, copy) ? sorted(map) : map;
}

/** The changed parts, by their names; those that were removed are absent. */
function decodeParts(
  node: TypedNode,
  value: JsonObject | readonly JsonValue[],
  names: ReadonlySet<string>,
  context: TypedContext,
): ReadonlyMap<string, JsonValue> | undefined {
  let isComplete = true;
  const trial = new TypedContext(
    () => {
      isComplete = false;
    },
    false,
    context.depth,
  );
  const parts = new Map<string, JsonValue>();
  try {
    for (const name of names) {
      const part = ownMember(value as JsonObject, name);
      if (part === undefined) continue;
      if (!isSmall(part)) return undefined;
      trial.enter(name);
      parts.set(name, node.decode(part, trial));
      trial.leave();
    }
    trial.finish();
  } catch (error) {
    if (error instanceof TypedDecodeError) return undefined;
    throw error;
  }
  return isComplete && trial.quantities === 0 ? parts : undefined;
}

function withItems(list: readonly JsonValue[], parts: ReadonlyMap<string, JsonValue>): readonly JsonValue[] {
  const items = list.slice();
  for (const [index, part] of parts) items[Number(index)] = part;
  return items;
}

/** The map itself if its parts were decoded to themselves. */
function withMembers(map: JsonObject, parts: ReadonlyMap<string, JsonValue>): JsonObject {
  const others = [...parts].filter(([name, part]) => part !== map[name]);
  if (others.length === 0) return map;
  const copy: Record<string, JsonValue | undefined> = {};
  for (const name in map) setMember(copy, name, map[name]);
  for (const [name, part] of others) setMember(copy, name, part);
  const changed = new Set(others.map(([name]) => name));
  noteChangedCopy(copy, { original: map, changed, isReordered: false });
  return copy;
}

function mayBeUnsorted(
  map: JsonObject,
  { original, changed, isReordered, isSorted: isKnown }: ChangedCopy,
): boolean {
  if (isKnown) return false;
  if (isReordered) return true;
  for (const name of changed) if (Object.hasOwn(map, name) && !Object.hasOwn(original, name)) return true;
  return false;
}

function sorted(map: JsonObject): JsonObject {
  const names = Object.keys(map);
  return isSorted(names) ? map : sortedCopy(map, names.sort());
}
