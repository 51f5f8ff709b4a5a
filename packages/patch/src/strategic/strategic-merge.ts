import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeName,
  memberNames,
  ownMember,
  type Schema,
  type Steps,
  setMember,
} from '@ashlar/core';
import { itemKind } from '../json-patch/list-order.ts';
import { applyElementOrders } from './element-order.ts';
import type { MapMerge, Members } from './map-merge.ts';
import { type FieldStrategy, listField, objectField } from './patch-metadata.ts';
import { applyRetainKeys } from './retain-keys.ts';
import {
  applyMapDirective,
  DELETE_FROM_LIST_DIRECTIVE,
  directedField,
  PATCH_DIRECTIVE,
  withoutDirectives,
  withoutNullMembers,
} from './strategic-directives.ts';
import { mergeLists, removeFromList } from './strategic-list.ts';

type List = readonly JsonValue[];

/** Members of a patch that takes milliseconds to copy. */
const LARGE = 1000;

/**
 * Merges a strategic merge patch into a map; returns the map itself if nothing changes.
 * @param intoObject whether the map is an object, or another patch whose directives stay
 */
export function* mergeMaps(
  original: JsonObject,
  patch: JsonObject,
  schema: Schema,
  intoObject: boolean,
): Steps<JsonObject> {
  const directive = ownMember(patch, PATCH_DIRECTIVE);
  if (directive !== undefined) return applyMapDirective(directive, patch);
  const names = memberNames(patch);
  // only directives are taken out of it, and a large patch is not copied for nothing
  const isDirected = names.some((name) => name.startsWith('$'));
  if (names.length > LARGE) yield;
  const rest = isDirected ? { ...patch } : patch;
  if (isDirected && names.length > LARGE) yield;
  const merge: MapMerge = { schema, intoObject, result: { ...original }, rest };
  if (isDirected) {
    applyRetainKeys(merge);
    yield* applyElementOrders(merge, mergeListField);
  }
  if (names.length > LARGE) yield;
  for (const [index, key] of (isDirected ? Object.keys(rest) : names).entries()) {
    if ((index & 255) === 255) yield;
    const value = merge.rest[key];
    if (value === undefined) continue;
    // most members of large patches are texts, which need no steps
    if (isScalar(value) && !key.startsWith(DELETE_FROM_LIST_DIRECTIVE)) setMember(merge.result, key, value);
    else yield* mergeMember(merge, key, value);
  }
  if (names.length > LARGE) yield;
  const isSame = isDirected
    ? sameMembers(original, merge.result)
    : yield* areSameSteps(original, merge.result, names);
  return isSame ? original : merge.result;
}

const isScalar = (value: JsonValue): boolean => typeof value !== 'object';

/** Whether members are those of the original: no others were merged. */
function* areSameSteps(original: JsonObject, result: JsonObject, names: readonly string[]): Steps<boolean> {
  for (const [index, name] of names.entries()) {
    if ((index & 1023) === 1023) yield;
    if (Object.hasOwn(original, name) !== Object.hasOwn(result, name)) return false;
    if (ownMember(original, name) !== ownMember(result, name)) return false;
  }
  return true;
}

function sameMembers(a: JsonObject, b: JsonObject): boolean {
  const keys = memberNames(a);
  if (keys.length !== memberNames(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

function* mergeMember(merge: MapMerge, key: string, value: JsonValue): Steps<void> {
  if (!key.startsWith(DELETE_FROM_LIST_DIRECTIVE)) yield* mergeField(merge, key, value, mergeListField);
  else if (!merge.intoObject) setMember(merge.result, key, value);
  else {
    const name = directedField(key, DELETE_FROM_LIST_DIRECTIVE) || key;
    yield* mergeField(merge, name, value, deleteFromListField);
  }
}

type ListChange = typeof mergeListField;

function* mergeField(merge: MapMerge, name: string, value: JsonValue, changeList: ListChange): Steps<void> {
  const { result, intoObject } = merge;
  if (value === null) {
    delete result[name];
    if (intoObject) return;
  }
  const current = ownMember(result, name);
  if (current === undefined || jsonTypeName(current) !== jsonTypeName(value)) {
    if (changeList === mergeListField)
      yield* setOrDrop(result, name, intoObject ? yield* withoutNullMembers(value) : value);
  } else if (isJsonArray(value)) {
    const changed = yield* changeList(merge, current as List, value, listField(merge.schema, name));
    setMember(result, name, changed);
  } else if (isJsonObject(value)) {
    setMember(result, name, yield* mergeObjectField(merge, current as JsonObject, value, name));
  } else setMember(result, name, value);
}

function* setOrDrop(result: Members, name: string, value: JsonValue): Steps<void> {
  const stripped = yield* withoutDirectives(value);
  if (stripped === undefined) delete result[name];
  else setMember(result, name, stripped);
}

function* mergeObjectField(
  merge: MapMerge,
  current: JsonObject,
  patch: JsonObject,
  name: string,
): Steps<JsonObject> {
  const field = objectField(merge.schema, name);
  if (field.strategy === 'replace') return patch;
  return yield* mergeMaps(current, patch, field.schema, merge.intoObject);
}

function* mergeListField(merge: MapMerge, current: List, patch: List, field: FieldStrategy): Steps<List> {
  return field.strategy === 'merge' ? yield* mergeItems(merge, current, patch, field) : patch;
}

/**
 * `$deleteFromPrimitiveList`: on lists of maps it merges like the list itself, with any strategy of the
 * field.
 */
function* deleteFromListField(
  merge: MapMerge,
  current: List,
  patch: List,
  field: FieldStrategy,
): Steps<List> {
  const isEmpty = current.length === 0 && patch.length === 0;
  if (isEmpty || itemKind(current, patch) === 'map') return yield* mergeItems(merge, current, patch, field);
  return removeFromList(current, patch);
}

function* mergeItems(merge: MapMerge, current: List, patch: List, field: FieldStrategy): Steps<List> {
  const merged = yield* mergeLists(current, patch, field, (a, b) =>
    mergeMaps(a, b, field.schema, merge.intoObject),
  );
  const same = merged.length === current.length && merged.every((item, index) => item === current[index]);
  return same ? current : merged;
}
