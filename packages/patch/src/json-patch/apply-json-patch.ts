import {
  type JsonValue,
  jsonTypeError,
  MAXIMUM_OBJECT_BYTES,
  ownMember,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import { requireSize } from '../errors/patched-size.ts';
import type { JsonPatch, JsonPatchOperation } from './decode-json-patch.ts';
import { ContainerError, isContainer, type JsonContainer, type OwnContainer } from './json-container.ts';
import { isDeeperThanSteps, MAXIMUM_DEPTH } from './json-depth.ts';
import { JsonDraft, type Place } from './json-draft.ts';
import { withWalkedSorted } from './sorted-members.ts';

/** Limits of a JSON patch (semantics/verbs#patch). */
export interface JsonPatchLimits {
  /** Maximum number of operations in one patch; default 10000. */
  readonly maximumOperations?: number;
  /** Maximum bytes of JSON that all `copy` operations together may add; default 3 MiB. */
  readonly maximumCopyBytes?: number;
  /**
   * Approximate maximum bytes of JSON of the result; default that of bodies, 3 MiB. Not checked for small
   * patches.
   */
  readonly maximumBytes?: number;
}

/**
 * Applies a JSON patch (RFC 6902, semantics/patches#json-patch). The document is not changed; the result
 * shares unchanged parts with it; objects that pointers led through have their members in the order of
 * their names. Unlike in RFC 6902, negative indices count from the end, and the root can
 * be replaced but not added.
 *
 * @throws PatchError `apply`, `too-many-operations`, `copy-limit` or `too-large`
 *
 * @example
 * const patch = decodeJsonPatch([{ op: 'add', path: '/spec/ports/-', value: 80 }]);
 * applyJsonPatch({ spec: { ports: [] } }, patch); // { spec: { ports: [80] } }
 */
export function applyJsonPatch(
  document: JsonValue,
  patch: JsonPatch,
  limits: JsonPatchLimits = {},
): JsonValue {
  return runAtOnce(applyJsonPatchSteps(document, patch, limits));
}

/** Like `applyJsonPatch`, with pauses between operations and inside of copies. */
export function* applyJsonPatchSteps(
  document: JsonValue,
  patch: JsonPatch,
  limits: JsonPatchLimits = {},
): Steps<JsonValue> {
  const { maximumOperations = 10000, maximumCopyBytes = MAXIMUM_OBJECT_BYTES, maximumBytes } = limits;
  if (patch.length > maximumOperations) {
    const text = `The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${patch.length}`;
    throw new PatchError('too-many-operations', text);
  }
  if (!isContainer(document)) throw failure(jsonTypeError(document, 'jsonpatch.partialDoc').message);
  const state: PatchState = { draft: new JsonDraft(document), maximumCopyBytes, copiedBytes: 0 };
  for (const operation of patch) {
    const steps = applyOperation(state, operation);
    if (steps) yield* steps;
    yield;
  }
  const result = yield* state.draft.finish();
  if (patch.length > 0 && (yield* isDeeperThanSteps(result, MAXIMUM_DEPTH)))
    throw failure('exceeded max depth');
  yield* requireSize(result, patch as JsonValue, maximumBytes);
  return withWalkedSorted(result, state.draft);
}

interface PatchState {
  readonly draft: JsonDraft;
  readonly maximumCopyBytes: number;
  copiedBytes: number;
}

/** An operation: done at once, or by the steps that it returns. */
type Apply = (state: PatchState, operation: JsonPatchOperation) => Steps<void> | void;

function applyOperation(state: PatchState, operation: JsonPatchOperation): ReturnType<Apply> {
  const kind = member(operation, 'op');
  const apply = typeof kind === 'string' && Object.hasOwn(OPERATIONS, kind) ? OPERATIONS[kind] : undefined;
  if (!apply) throw failure(`Unexpected kind: ${typeof kind === 'string' ? kind : 'unknown'}`);
  return apply(state, operation);
}

const OPERATIONS: Readonly<Record<string, Apply>> = {
  add,
  remove,
  replace,
  move,
  copy,
  test,
};

function add({ draft }: PatchState, operation: JsonPatchOperation): void {
  const path = pathOf(operation, 'add operation failed to decode path', '');
  const value = newValue(operation, 'add');
  const place = draft.edit(path) ?? missing(`add operation does not apply: doc is missing path: "${path}"`);
  insert(draft, place, value, `error in add for path: '${path}'`);
}

function remove({ draft }: PatchState, operation: JsonPatchOperation): void {
  const path = pathOf(operation, 'remove operation failed to decode path', '');
  const place =
    draft.edit(path) ?? missing(`remove operation does not apply: doc is missing path: "${path}"`);
  located(`error in remove for path: '${path}'`, () => draft.remove(place));
}

function replace({ draft }: PatchState, operation: JsonPatchOperation): void {
  const path = pathOf(operation, 'replace operation failed to decode path');
  const value = newValue(operation, 'replace');
  if (path === '') {
    draft.replaceRoot(rootValue(value));
    return;
  }
  const place = draft.edit(path) ?? missing(`replace operation does not apply: doc is missing path: ${path}`);
  if (draft.readOrNothing(place.container, place.token) === undefined)
    missing(`replace operation does not apply: doc is missing key: ${path}`);
  draft.replace(place, value);
}

function move({ draft }: PatchState, operation: JsonPatchOperation): void {
  const from = fromOf(operation, 'move');
  const source =
    draft.edit(from) ?? missing(`move operation does not apply: doc is missing from path: ${from}`);
  const value = located(`error in move for path: '${source.token}'`, () => takeOut(draft, source));
  const path = pathOf(operation, 'move operation failed to decode path');
  const target =
    draft.edit(path) ?? missing(`move operation does not apply: doc is missing destination path: ${path}`);
  insert(draft, target, value, `error in move for path: '${path}'`);
}

function* copy(state: PatchState, operation: JsonPatchOperation): Steps<void> {
  const from = fromOf(operation, 'copy');
  const source =
    state.draft.find(from) ?? missing(`copy operation does not apply: doc is missing from path: ${from}`);
  const found = located(`error in copy for from: '${from}'`, () =>
    state.draft.read(source.container, source.token),
  );
  const value = found === undefined ? missing(`error in copy for from: '${from}'`) : found;
  const path = pathOf(operation, 'copy operation failed to decode path', '');
  if (!state.draft.find(path))
    missing(`copy operation does not apply: doc is missing destination path: ${path}`);
  // before the target is edited, which may be inside the value itself
  const copied = yield* copiedWithinLimit(state, value);
  const target = state.draft.edit(path) as EditPlace;
  insert(state.draft, target, copied, 'error while adding value during copy');
}

function test({ draft }: PatchState, operation: JsonPatchOperation): void {
  const path = pathOf(operation, 'test operation failed to decode path');
  const expected = member(operation, 'value');
  const actual = path === '' ? draft.root : testedValue(draft, path);
  // An absent key equals null (semantics/patches#json-patch); an operation without a value equals nothing.
  if (expected === undefined || !draft.equals(actual ?? null, expected))
    throw failure(`testing value ${path} failed: test failed`);
}

function testedValue(draft: JsonDraft, path: string): JsonValue | undefined {
  const place = draft.find(path) ?? missing(`test operation does not apply: is missing path: ${path}`);
  return located(`error in test for path: '${path}'`, () => draft.read(place.container, place.token));
}

function insert(draft: JsonDraft, place: EditPlace, value: JsonValue, where: string): void {
  located(where, () => draft.add(place, value));
}

function takeOut(draft: JsonDraft, place: EditPlace): JsonValue {
  const value = draft.read(place.container, place.token);
  draft.remove(place);
  return value as JsonValue;
}

function* copiedWithinLimit(state: PatchState, value: JsonValue): Steps<JsonValue> {
  const copy = yield* state.draft.copy(value, state.maximumCopyBytes - state.copiedBytes);
  state.copiedBytes += copy.size;
  if (state.copiedBytes <= state.maximumCopyBytes) return copy.value;
  const text = `Unable to complete the copy, the accumulated size increase of copy is ${state.copiedBytes}, exceeding the limit ${state.maximumCopyBytes}`;
  throw new PatchError('copy-limit', text);
}

type EditPlace = Place<OwnContainer>;

function member(operation: JsonPatchOperation, name: string): JsonValue | undefined {
  return operation === null ? undefined : ownMember(operation, name);
}

const NO_PATH = 'operation missing path field';

function pathOf(operation: JsonPatchOperation, where: string, reason: string = NO_PATH): string {
  return textMember(operation, 'path', where, reason);
}

function fromOf(operation: JsonPatchOperation, kind: string): string {
  const where = `${kind} operation failed to decode from`;
  return textMember(operation, 'from', where, 'operation, missing from field');
}

/** The reference server does not distinguish a missing member from one of the wrong type. */
function textMember(operation: JsonPatchOperation, name: string, where: string, reason: string): string {
  const value = member(operation, name);
  if (typeof value === 'string') return value;
  if (reason === '') return missing(where);
  if (value === undefined || value === null) return missing(`${where}: ${reason}`);
  throw failure(`${where}: ${jsonTypeError(value, 'string').message}`);
}

/**
 * The reference server treats an absent value as null; RFC 6902 section 4 requires the member
 * (semantics/patches#json-patch).
 */
function newValue(operation: JsonPatchOperation, kind: string): JsonValue {
  const value = member(operation, 'value');
  return value === undefined ? missing(`${kind} operation, missing value field`) : value;
}

function rootValue(value: JsonValue): JsonContainer {
  if (isContainer(value)) return value;
  throw failure('replace operation value must be object or array');
}

function located<T>(where: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof ContainerError) throw failure(`${where}: ${error.message}`);
    throw error;
  }
}

function missing(text: string): never {
  throw failure(`${text}: missing value`);
}

const failure = (text: string): PatchError => new PatchError('apply', text);
