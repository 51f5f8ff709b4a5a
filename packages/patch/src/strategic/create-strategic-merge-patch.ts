import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Schema,
  setMember,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import { isDeeperThan, MAXIMUM_DEPTH } from '../json-patch/json-depth.ts';
import type { ThreeWayOptions } from '../merge-patch/create-merge-patch.ts';
import { conflictError, type PatchPrecondition, requirePreconditions } from './patch-conditions.ts';
import { patchesConflict } from './strategic-conflict.ts';
import { diffMaps } from './strategic-diff.ts';
import { mergeMaps } from './strategic-merge.ts';

type List = readonly JsonValue[];

/** Options of two-way patches. */
export interface TwoWayOptions {
  readonly preconditions?: readonly PatchPrecondition[];
}

/**
 * The strategic merge patch from `original` to `modified`.
 *
 * @throws PatchError `precondition`; `bad-request` or `unprocessable` for lists that do not merge
 *
 * @example
 * createTwoWayMergePatch({ replicas: 1, paused: true }, { replicas: 2 }, {}); // { replicas: 2, paused: null
 * }
 */
export function createTwoWayMergePatch(
  original: JsonObject,
  modified: JsonObject,
  schema: Schema,
  options: TwoWayOptions = {},
): JsonObject {
  requireDepth(original, modified);
  const parts = { elementOrder: true, changes: true, deletions: true };
  const patch = diffMaps(original, modified, schema, parts, false) as JsonObject;
  requirePreconditions(patch, options.preconditions);
  return patch;
}

/** Options of strategic three-way patches. */
export interface StrategicThreeWayOptions extends ThreeWayOptions {
  /** Whether the patch may overwrite changes of another client; by default that is a conflict. */
  readonly overwrite?: boolean;
}

/**
 * The strategic merge patch from `current` to `modified` of client-side apply: fields of `modified` are set,
 * those of `original` (the last applied configuration) that are no longer in `modified` are removed, and all
 * others of `current` are kept.
 *
 * @throws PatchError `conflict` if `current` was changed otherwise than the patch changes it and `overwrite`
 * is not set; `precondition`; `bad-request` or `unprocessable` for lists that do not merge
 */
export function createThreeWayMergePatch(
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
  schema: Schema,
  options: StrategicThreeWayOptions = {},
): JsonObject {
  requireDepth(original, modified, current);
  const currentSorting = new Sorting();
  const originalSorting = new Sorting();
  const changes = diffMaps(
    current,
    modified,
    schema,
    { elementOrder: true, changes: true, deletions: false, onSorted: currentSorting.remember },
    false,
  );
  const deletions = diffMaps(
    original,
    modified,
    schema,
    { elementOrder: true, changes: false, deletions: true, onSorted: originalSorting.remember },
    false,
  );
  const patch = runAtOnce(mergeMaps(deletions as JsonObject, changes as JsonObject, schema, false));
  requirePreconditions(patch, options.preconditions);
  if (options.overwrite) return patch;
  return requireNoConflict(
    patch,
    originalSorting.apply(original),
    currentSorting.apply(current),
    schema,
    options,
  );
}

function requireNoConflict(
  patch: JsonObject,
  original: JsonObject,
  current: JsonObject,
  schema: Schema,
  options: StrategicThreeWayOptions,
): JsonObject {
  const all = { elementOrder: false, changes: true, deletions: true };
  const changed = diffMaps(original, current, schema, all, false) as JsonObject;
  const sorting = new Sorting();
  if (patchesConflict(patch, changed, schema, sorting.remember))
    throw conflictError(sorting.apply(patch), sorting.apply(changed), options.print);
  return sorting.apply(patch);
}

/** Lists that the reference server sorts in place while it compares them: later steps see them sorted. */
class Sorting {
  readonly #sorted: Map<List, List> = new Map();

  readonly remember = (list: List, sorted: List): void => {
    this.#sorted.set(list, sorted);
  };

  apply(document: JsonObject): JsonObject {
    return this.#sorted.size === 0 ? document : (this.#apply(document) as JsonObject);
  }

  #apply(value: JsonValue): JsonValue {
    if (isJsonArray(value)) return (this.#sorted.get(value) ?? value).map((item) => this.#apply(item));
    if (!isJsonObject(value)) return value;
    const result: Record<string, JsonValue | undefined> = {};
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) setMember(result, key, this.#apply(member));
    }
    return result;
  }
}

function requireDepth(...documents: readonly JsonObject[]): void {
  for (const document of documents) {
    if (isDeeperThan(document, MAXIMUM_DEPTH)) throw new PatchError('bad-request', 'exceeded max depth');
  }
}
