import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  jsonTypeName,
  ownMember,
  type Schema,
  setMember,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import type { Members } from './map-merge.ts';
import { type FieldStrategy, listField, objectField } from './patch-metadata.ts';
import {
  DELETE_FROM_LIST_DIRECTIVE,
  ELEMENT_ORDER_DIRECTIVE,
  PATCH_DIRECTIVE,
  RETAIN_KEYS_DIRECTIVE,
} from './strategic-directives.ts';
import { type DiffOptions, diffLists } from './strategic-list-diff.ts';

/** The strategic merge patch between two maps, or the requested part of it. */
export function diffMaps(
  original: JsonObject,
  modified: JsonObject,
  schema: Schema,
  options: DiffOptions,
  retainKeys: boolean,
): Members {
  const patch: Members = {};
  for (const [key, after] of Object.entries(modified)) {
    if (after === undefined) continue;
    const before = ownMember(original, key);
    if (before === undefined) setIf(options.changes, patch, key, after);
    else if (key === PATCH_DIRECTIVE) diffDirective(patch, before, after);
    else if (jsonTypeName(before) !== jsonTypeName(after)) setIf(options.changes, patch, key, after);
    else diffMember({ patch, key, schema, options }, before, after);
  }
  const missing = Object.keys(original).filter(
    (key) => original[key] !== undefined && ownMember(modified, key) === undefined,
  );
  if (options.deletions) for (const key of missing) setMember(patch, key, null);
  if (retainKeys)
    addRetainKeys(
      patch,
      modified,
      missing.some((key) => original[key] !== null),
    );
  return patch;
}

function setIf(isIncluded: boolean, patch: Members, key: string, value: JsonValue): void {
  if (isIncluded) setMember(patch, key, value);
}

function diffDirective(patch: Members, before: JsonValue, after: JsonValue): void {
  if (typeof before !== 'string' || typeof after !== 'string')
    throw new PatchError('bad-request', `invalid value for special key: ${PATCH_DIRECTIVE}`);
  if (before !== after) patch[PATCH_DIRECTIVE] = after;
}

/** Listed only if there are other changes, or if keys are to be cleared. */
function addRetainKeys(patch: Members, modified: JsonObject, clears: boolean): void {
  const keys = Object.keys(modified).filter((key) => modified[key] !== undefined && modified[key] !== null);
  if (keys.length > 0 && (clears || Object.keys(patch).length > 0))
    patch[RETAIN_KEYS_DIRECTIVE] = keys.sort();
}

interface MemberDiff {
  readonly patch: Members;
  readonly key: string;
  readonly schema: Schema;
  readonly options: DiffOptions;
}

function diffMember(diff: MemberDiff, before: JsonValue, after: JsonValue): void {
  if (isJsonObject(before) && isJsonObject(after)) diffObjects(diff, before, after);
  else if (isJsonArray(before) && isJsonArray(after)) diffListMembers(diff, before, after);
  else replaceIfDifferent(diff, before, after);
}

function diffObjects(
  { patch, key, schema, options }: MemberDiff,
  before: JsonObject,
  after: JsonObject,
): void {
  const field = fieldUnlessEqual(objectField, schema, key, before, after);
  if (!field) return;
  if (field.strategy === 'replace') {
    setIf(options.changes, patch, key, after);
    return;
  }
  const members = diffMaps(before, after, field.schema, options, field.retainKeys);
  if (Object.keys(members).length > 0) setMember(patch, key, members as JsonObject);
}

function diffListMembers(diff: MemberDiff, before: readonly JsonValue[], after: readonly JsonValue[]): void {
  const { patch, key, schema, options } = diff;
  const field = fieldUnlessEqual(listField, schema, key, before, after);
  if (!field) return;
  if (field.strategy !== 'merge') {
    replaceIfDifferent(diff, before, after);
    return;
  }
  const lists = diffLists(before, after, field, options, (a, b) =>
    diffMaps(a, b, field.schema, options, field.retainKeys),
  );
  if (lists.patch.length > 0) setMember(patch, key, lists.patch);
  if (lists.deletions.length > 0) patch[`${DELETE_FROM_LIST_DIRECTIVE}/${key}`] = lists.deletions;
  if (lists.order.length > 0) patch[`${ELEMENT_ORDER_DIRECTIVE}/${key}`] = lists.order;
}

/** Values that are equal need no field in the schema. */
function fieldUnlessEqual(
  lookUp: (schema: Schema, key: string) => FieldStrategy,
  schema: Schema,
  key: string,
  before: JsonValue,
  after: JsonValue,
): FieldStrategy | undefined {
  try {
    return lookUp(schema, key);
  } catch (error) {
    if (jsonEqual(before, after)) return undefined;
    throw error;
  }
}

function replaceIfDifferent({ patch, key, options }: MemberDiff, before: JsonValue, after: JsonValue): void {
  if (options.changes && !jsonEqual(before, after)) setMember(patch, key, after);
}
