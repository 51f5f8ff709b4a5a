import {
  goValue,
  hasMember,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type Steps,
  setMember,
} from '@ashlar/core';
import { stringText } from '../errors/go-text.ts';
import { PatchError } from '../errors/patch-error.ts';

/** In a map or list item: `replace`, `delete` or (rejected) `merge`. */
export const PATCH_DIRECTIVE = '$patch';
/** In a map: the retained keys. */
export const RETAIN_KEYS_DIRECTIVE = '$retainKeys';
/** Next to a list, with `/` and its name: scalars to remove from it. */
export const DELETE_FROM_LIST_DIRECTIVE = '$deleteFromPrimitiveList';
/** Next to a list, with `/` and its name: the order of its items. */
export const ELEMENT_ORDER_DIRECTIVE = '$setElementOrder';

/** Directives that can be malformed. */
export type ShapedDirective = '$deleteFromPrimitiveList' | '$retainKeys' | '$setElementOrder';

const MALFORMED: Readonly<Record<ShapedDirective, string>> = {
  $deleteFromPrimitiveList: 'invalid patch format of primitive list',
  $retainKeys: 'invalid patch format of retainKeys',
  $setElementOrder: 'invalid patch format of setElementOrder list',
};

/** A malformed directive (semantics/patches#errors: 400). */
export function malformed(directive: ShapedDirective): PatchError {
  return new PatchError('bad-request', MALFORMED[directive]);
}

/** The field of a named directive: `finalizers` of `$setElementOrder/finalizers`. */
export function directedField(
  key: string,
  directive: typeof DELETE_FROM_LIST_DIRECTIVE | typeof ELEMENT_ORDER_DIRECTIVE,
): string {
  if (!key.startsWith(`${directive}/`)) throw malformed(directive);
  return key.slice(directive.length + 1);
}

/** Returns the result of `$patch` in a map: the rest of the patch, or nothing. */
export function applyMapDirective(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive, patch);
  const { [PATCH_DIRECTIVE]: _, ...rest } = patch;
  return rest;
}

/** A `$patch` that is neither `replace` nor `delete`. */
export function unknownDirective(directive: JsonValue, patch: JsonObject): PatchError {
  const text = `unknown patch type: ${stringText(directive)} in map: ${goValue(patch)}`;
  return new PatchError('bad-request', text);
}

/**
 * A new value without directives: maps with `$patch` are dropped, at any depth.
 * @returns undefined if nothing remains
 */
export function* withoutDirectives(value: JsonValue): Steps<JsonValue | undefined> {
  if (isJsonArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      if ((index & STRIDE) === STRIDE) yield;
      const stripped = isPlain(item) ? item : yield* withoutDirectives(item);
      if (stripped !== undefined) items.push(stripped);
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  if (hasMember(value, PATCH_DIRECTIVE)) return undefined;
  const result: Record<string, JsonValue | undefined> = {};
  for (const [index, key] of Object.keys(value).entries()) {
    if ((index & STRIDE) === STRIDE) yield;
    const member = value[key];
    const stripped = isPlain(member) ? member : yield* withoutDirectives(member as JsonValue);
    if (stripped !== undefined) setMember(result, key, stripped);
  }
  return result;
}

/** A new value without null members; null items stay. */
export function* withoutNullMembers(value: JsonValue): Steps<JsonValue> {
  if (isJsonArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      if ((index & STRIDE) === STRIDE) yield;
      items.push(isPlain(item) ? item : yield* withoutNullMembers(item));
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const result: Record<string, JsonValue | undefined> = {};
  for (const [index, key] of Object.keys(value).entries()) {
    if ((index & STRIDE) === STRIDE) yield;
    const member = value[key];
    if (member === undefined || member === null) continue;
    setMember(result, key, isPlain(member) ? member : yield* withoutNullMembers(member));
  }
  return result;
}

/** Members between pauses, less one. */
const STRIDE = 255;

/** Members of an object that is looked through without a pause. */
const FEW_MEMBERS = 16;

/** Whether a value stays as it is: a scalar, or an object of few scalars, as most items of long lists are. */
function isPlain(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isJsonArray(value)) return false;
  let left = FEW_MEMBERS;
  for (const key in value) {
    const member = (value as JsonObject)[key];
    if (--left < 0 || member === undefined || typeof member === 'object' || key === PATCH_DIRECTIVE)
      return false;
  }
  return true;
}

/** Whether an item is marked to be deleted from its list. */
export function isDeletion(item: JsonValue): boolean {
  return isJsonObject(item) && ownMember(item, PATCH_DIRECTIVE) === 'delete';
}
