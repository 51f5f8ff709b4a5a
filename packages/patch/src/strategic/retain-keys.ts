import { goValue, isJsonArray, type JsonValue, jsonEqual, ownMember } from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import type { MapMerge, Members } from './map-merge.ts';
import {
  DELETE_FROM_LIST_DIRECTIVE,
  ELEMENT_ORDER_DIRECTIVE,
  malformed,
  RETAIN_KEYS_DIRECTIVE,
} from './strategic-directives.ts';

/**
 * Applies `$retainKeys`: only the listed keys of the map stay, and the patch may set no others
 * (semantics/patches#strategic-merge-patch).
 *
 * @throws PatchError `bad-request` if it is not a list, or the patch sets another key
 */
export function applyRetainKeys({ result, rest, intoObject }: MapMerge): void {
  const keys = ownMember(rest, RETAIN_KEYS_DIRECTIVE);
  if (keys === undefined) return;
  delete rest[RETAIN_KEYS_DIRECTIVE];
  if (intoObject) retain(result, rest, keys);
  else keepDirective(result, keys);
}

function retain(result: Members, rest: Members, keys: JsonValue): void {
  if (!isJsonArray(keys)) throw malformed(RETAIN_KEYS_DIRECTIVE);
  const retained = new Set(keys);
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined || value === null || isListDirective(key)) continue;
    if (!retained.has(key)) throw malformed(RETAIN_KEYS_DIRECTIVE);
  }
  for (const key of Object.keys(result)) if (!retained.has(key)) delete result[key];
}

function isListDirective(key: string): boolean {
  return key.startsWith(DELETE_FROM_LIST_DIRECTIVE) || key.startsWith(ELEMENT_ORDER_DIRECTIVE);
}

function keepDirective(result: Members, keys: JsonValue): void {
  const other = ownMember(result, RETAIN_KEYS_DIRECTIVE);
  if (other === undefined) result[RETAIN_KEYS_DIRECTIVE] = keys;
  else if (!jsonEqual(other, keys)) {
    const lists = `${goValue(other)} and ${goValue(keys)}`;
    const text = `${lists} are not deep equal: this may happen when calculating the 3-way diff patch`;
    throw new PatchError('bad-request', text);
  }
}
