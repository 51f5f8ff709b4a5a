import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  jsonTypeName,
  ownMember,
  setMember,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import { isDeeperThan, MAXIMUM_DEPTH } from '../json-patch/json-depth.ts';
import {
  conflictError,
  type PatchPrecondition,
  type PatchPrinter,
  requirePreconditions,
} from '../strategic/patch-conditions.ts';
import { applyMergePatch } from './merge-patch.ts';

type Members = Record<string, JsonValue | undefined>;

/**
 * The JSON merge patch (RFC 7386) from `original` to `modified`. Null members of `modified`, which merge
 * patches cannot express, become absent.
 *
 * @throws PatchError `decode` for documents nested too deeply
 *
 * @example
 * createMergePatch({ a: 1, b: 2 }, { a: 1, c: 3 }); // { b: null, c: 3 }
 */
export function createMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  for (const document of [original, modified]) {
    if (isDeeperThan(document, MAXIMUM_DEPTH)) throw new PatchError('decode', 'exceeded max depth');
  }
  return difference(original, modified);
}

function difference(original: JsonObject, modified: JsonObject): JsonObject {
  const patch: Members = {};
  for (const [key, value] of Object.entries(modified)) {
    if (value === undefined) continue;
    const before = ownMember(original, key);
    const change = before === undefined ? value : memberDifference(before, value);
    if (change !== undefined) setMember(patch, key, change);
  }
  for (const [key, value] of Object.entries(original)) {
    if (value !== undefined && ownMember(modified, key) === undefined) setMember(patch, key, null);
  }
  return patch;
}

function memberDifference(before: JsonValue, after: JsonValue): JsonValue | undefined {
  if (jsonTypeName(before) !== jsonTypeName(after)) return after;
  if (!isJsonObject(before) || !isJsonObject(after)) return jsonEqual(before, after) ? undefined : after;
  const patch = difference(before, after);
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Options of three-way patches. */
export interface ThreeWayOptions {
  readonly preconditions?: readonly PatchPrecondition[];
  /** Prints patches in the message of a conflict; default: JSON. */
  readonly print?: PatchPrinter;
}

/**
 * The JSON merge patch from `current` to `modified` of client-side apply: fields of `modified` are set, those
 * of `original` (the last applied configuration) that are no longer in `modified` are removed, and all others
 * of `current` are kept.
 *
 * @throws PatchError `precondition`, `conflict`, or `decode` for documents nested too deeply
 */
export function createThreeWayJsonMergePatch(
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
  options: ThreeWayOptions = {},
): JsonObject {
  const changes = keepNulls(createMergePatch(current, modified), false);
  const deletions = keepNulls(createMergePatch(original, modified), true);
  if (overlaps(changes, deletions)) throw conflictError(changes, deletions, options.print);
  const patch = applyMergePatch(deletions, changes) as JsonObject;
  requirePreconditions(patch, options.preconditions);
  return patch;
}

/** Only the nulls of a patch, or everything else. Maps without either are dropped. */
function keepNulls(patch: JsonObject, nulls: boolean): JsonObject {
  const selected: Members = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      if (nulls) setMember(selected, key, null);
    } else if (isJsonObject(value) && Object.keys(value).length > 0) {
      const members = keepNulls(value, nulls);
      if (Object.keys(members).length > 0) setMember(selected, key, members);
    } else if (value !== undefined && !nulls) setMember(selected, key, value);
  }
  return selected;
}

/** Whether two patches set a key to different values. */
function overlaps(a: JsonValue, b: JsonValue): boolean {
  if (isJsonArray(a)) {
    if (!isJsonArray(b) || a.length !== b.length) return true;
    return a.some((item, index) => overlaps(item, b[index] as JsonValue));
  }
  if (!isJsonObject(a)) return !jsonEqual(a, b);
  if (!isJsonObject(b)) return true;
  return Object.entries(a).some(([key, value]) => {
    const other = ownMember(b, key);
    return value !== undefined && other !== undefined && overlaps(value, other);
  });
}
