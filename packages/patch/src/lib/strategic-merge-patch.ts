import { isJsonObject, type JsonObject, type JsonValue, jsonTypeError, type Schema } from '@ashlar/core';
import { isDeeperThan, MAXIMUM_DEPTH } from './json-depth.ts';
import { PatchError } from './patch-error.ts';
import { mergeMaps } from './strategic-merge.ts';

/**
 * Reads a decoded body as a strategic merge patch (semantics G4). `null` is the patch that changes nothing.
 *
 * @throws PatchError `bad-request` for anything but an object
 */
export function decodeStrategicMergePatch(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw new PatchError('bad-request', jsonTypeError(value, 'map[string]interface {}').message);
}

/**
 * Applies a strategic merge patch to an object of a kind with a schema (semantics G3). Lists merge or replace by the schema's
 * `patchStrategy` and `patchMergeKey`. Neither input is changed; the result shares with both what it can, and is the original
 * itself where nothing changes.
 *
 * @throws PatchError `bad-request` for directives of a wrong shape, items without merge key and the like, `unprocessable` for
 * lists of lists (semantics G4)
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
  if (isDeeperThan(patch, MAXIMUM_DEPTH)) throw new PatchError('bad-request', 'exceeded max depth');
  return mergeMaps(original, patch, schema, true);
}
