import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import { requireSize } from '../errors/patched-size.ts';
import { isDeeperThanSteps, MAXIMUM_DEPTH } from '../json-patch/json-depth.ts';
import { mergeMaps } from './strategic-merge.ts';

/**
 * Decodes a body as a strategic merge patch (semantics/patches#errors). `null` is the patch that changes
 * nothing.
 *
 * @throws PatchError `bad-request` for anything but an object
 */
export function decodeStrategicMergePatch(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw new PatchError('bad-request', jsonTypeError(value, 'map[string]interface {}').message);
}

/**
 * Applies a strategic merge patch to an object of a kind with a schema (semantics/patches#strategic-merge-patch). Lists merge or replace by the schema's
 * `patchStrategy` and `patchMergeKey`. Neither input is changed; the result shares with both what it can, and is the original
 * itself where nothing changes.
 *
 * @throws PatchError `bad-request` for directives of a wrong shape, items without merge key and the like, `unprocessable` for
 * lists of lists (semantics/patches#errors)
 *
 * @example
 * const schema: Schema = {
 *   properties: {
 *     ports: { patchStrategy: 'merge', patchMergeKey: 'port', items: { properties: { port: {}, name: {} } } },
 *   },
 * };
 * const original = { ports: [{ port: 80, name: 'a' }, { port: 81 }] };
 * applyStrategicMergePatch(original, { ports: [{ port: 80, name: 'b' }] }, schema);
 * // { ports: [{ port: 80, name: 'b' }, { port: 81 }] }
 */
export function applyStrategicMergePatch(
  original: JsonObject,
  patch: JsonObject,
  schema: Schema,
): JsonObject {
  return runAtOnce(applyStrategicMergePatchSteps(original, patch, schema));
}

/** Like `applyStrategicMergePatch`, with pauses. */
export function* applyStrategicMergePatchSteps(
  original: JsonObject,
  patch: JsonObject,
  schema: Schema,
): Steps<JsonObject> {
  if (yield* isDeeperThanSteps(patch, MAXIMUM_DEPTH))
    throw new PatchError('bad-request', 'exceeded max depth');
  const merged = yield* mergeMaps(original, patch, schema, true);
  yield* requireSize(merged, patch);
  return merged;
}
