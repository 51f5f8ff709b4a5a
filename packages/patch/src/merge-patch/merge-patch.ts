import {
  compareUtf8,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  ownMember,
  runAtOnce,
  type Steps,
  setMember,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import { requireSize } from '../errors/patched-size.ts';
import { isDeeperThanSteps, MAXIMUM_DEPTH } from '../json-patch/json-depth.ts';
import { withSortedMembers } from '../json-patch/sorted-members.ts';

/**
 * Decodes a body as a JSON merge patch for an object of the API (semantics/patches#merge-patch, #errors).
 *
 * @throws PatchError `decode` for anything but an object
 */
export function decodeMergePatch(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  if (value === null) throw new PatchError('decode', 'Invalid JSON Patch');
  const why = jsonTypeError(value, 'map[string]interface {}').message;
  throw new PatchError('decode', `error decoding patch: ${why}`);
}

/**
 * Applies a JSON merge patch (RFC 7386, semantics/patches#merge-patch). The document is not changed; the
 * result shares unchanged parts with it, and is the document itself if nothing changes; changed and new objects
 * have their members in the order of their names. Unlike in RFC 7386, a
 * patch that is a scalar or null is invalid, and nulls are dropped from objects inside new lists too.
 *
 * @throws PatchError `decode` if the patch is neither object nor array, or the document is null; `too-large`
 *
 * @example
 * applyMergePatch({ data: { a: '1', b: '2' } }, { data: { b: null, c: '3' } }); // { data: { a: '1', c: '3' }
 * }
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  return runAtOnce(applyMergePatchSteps(document, patch));
}

/** Like `applyMergePatch`, with pauses. */
export function* applyMergePatchSteps(document: JsonValue, patch: JsonValue): Steps<JsonValue> {
  if (document === null) throw new PatchError('decode', 'Invalid JSON Document');
  if (typeof patch !== 'object' || patch === null) throw new PatchError('decode', 'Invalid JSON Patch');
  if (yield* isDeeperThanSteps(patch, MAXIMUM_DEPTH)) throw new PatchError('decode', 'exceeded max depth');
  const isMerge = isJsonObject(document) && isJsonObject(patch);
  const result = isMerge ? yield* mergeObjects(document, patch) : yield* withoutNulls(patch);
  yield* requireSize(result, patch);
  return result;
}

function* mergeObjects(document: JsonObject, patch: JsonObject): Steps<JsonObject> {
  // Copying a large object costs more than finding out that it stays as it is.
  let result: Record<string, JsonValue | undefined> | undefined;
  let count = 0;
  for (const key of Object.keys(patch)) {
    if ((++count & 255) === 0) yield;
    const change = patch[key];
    if (change === undefined) continue;
    const current = ownMember(document, key);
    const merged =
      change === null
        ? undefined
        : typeof change === 'object'
          ? yield* mergeComposite(current, change)
          : change;
    if (merged === current) continue;
    result ??= { ...document };
    if (merged === undefined) delete result[key];
    else setMember(result, key, merged);
  }
  return result ? withSortedMembers(result) : document;
}

function* mergeComposite(
  current: JsonValue | undefined,
  change: JsonObject | readonly JsonValue[],
): Steps<JsonValue> {
  if (!isJsonObject(current)) return yield* withoutNulls(change);
  // A list that replaces an object keeps its nulls, as in the reference server.
  return isJsonObject(change) ? yield* mergeObjects(current, change) : change;
}

/** A new value: null members are dropped, at any depth; null items stay. */
function* withoutNulls(value: JsonValue): Steps<JsonValue> {
  let count = 0;
  if (isJsonArray(value)) {
    const list: JsonValue[] = [];
    for (const item of value) {
      if ((++count & 255) === 0) yield;
      list.push(isPlain(item) ? item : yield* withoutNulls(item));
    }
    return list;
  }
  if (!isJsonObject(value)) return value;
  const result: Record<string, JsonValue | undefined> = {};
  for (const key of Object.keys(value)) {
    if ((++count & 255) === 0) yield;
    const member = value[key];
    if (member === undefined || member === null) continue;
    setMember(result, key, isPlain(member) ? member : yield* withoutNulls(member));
  }
  return withSortedMembers(result);
}

/** Members of an object that is looked through without a pause. */
const FEW_MEMBERS = 16;

/** Whether a value stays as it is: a scalar, or an object of few sorted ones, as most items of long lists are. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isJsonArray(value)) return false;
  let left = FEW_MEMBERS;
  let previous = '';
  for (const key in value) {
    const member = (value as JsonObject)[key];
    if (--left < 0 || member === undefined || typeof member === 'object' || compareUtf8(key, previous) < 0)
      return false;
    previous = key;
  }
  return true;
}
