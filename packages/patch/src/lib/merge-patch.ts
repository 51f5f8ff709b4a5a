import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  ownMember,
  setMember,
} from '@ashlar/core';
import { isDeeperThan, MAXIMUM_DEPTH } from './json-depth.ts';
import { PatchError } from './patch-error.ts';

/**
 * Reads a decoded body as a JSON merge patch for an object of the API (semantics G2, G4).
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
 * Applies a JSON merge patch (RFC 7386, semantics G2). The document is not changed; the result shares with it what the patch
 * leaves alone, and is the document itself where nothing changes. Other than in RFC 7386, a patch that is a scalar or null is
 * none, and nulls are dropped from objects inside of new lists too.
 *
 * @throws PatchError `decode` where the patch is neither object nor array, or the document is null
 *
 * @example
 * applyMergePatch({ data: { a: '1', b: '2' } }, { data: { b: null, c: '3' } }); // { data: { a: '1', c: '3' } }
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (document === null) throw new PatchError('decode', 'Invalid JSON Document');
  if (typeof patch !== 'object' || patch === null) throw new PatchError('decode', 'Invalid JSON Patch');
  if (isDeeperThan(patch, MAXIMUM_DEPTH)) throw new PatchError('decode', 'exceeded max depth');
  if (isJsonObject(document) && isJsonObject(patch)) return mergeObjects(document, patch);
  return withoutNulls(patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, JsonValue | undefined> = { ...document };
  let changed = false;
  for (const [key, change] of Object.entries(patch)) {
    if (change === undefined) continue;
    const current = ownMember(document, key);
    const merged = change === null ? undefined : mergeValue(current, change);
    if (merged === current) continue;
    changed = true;
    if (merged === undefined) delete result[key];
    else setMember(result, key, merged);
  }
  return changed ? result : document;
}

function mergeValue(current: JsonValue | undefined, change: JsonValue): JsonValue {
  if (!isJsonObject(current)) return withoutNulls(change);
  // A list that takes the place of an object keeps its nulls, as upstream has it.
  return isJsonObject(change) ? mergeObjects(current, change) : change;
}

/** A new value: members that are null are not set, at any depth; items that are null stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const result: Record<string, JsonValue | undefined> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && member !== null) setMember(result, key, withoutNulls(member));
  }
  return result;
}
