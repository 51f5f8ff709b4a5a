import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import { isDeeperThanSteps, MAXIMUM_DEPTH } from './json-depth.ts';

/**
 * One operation of a JSON patch (RFC 6902) as sent: its members are validated when it is applied, because a
 * patch with an invalid third operation fails there and not earlier. `null` stands for an operation without
 * members.
 */
export type JsonPatchOperation = JsonObject | null;

/** A JSON patch (RFC 6902): operations that are applied in order, all or none. */
export type JsonPatch = readonly JsonPatchOperation[];

/**
 * Decodes a body as a JSON patch (semantics/patches#json-patch). `null` is the empty patch.
 *
 * @throws PatchError `decode` for anything but an array of objects, or too much nesting
 */
export function decodeJsonPatch(value: JsonValue): JsonPatch {
  return runAtOnce(decodeJsonPatchSteps(value));
}

/** Like `decodeJsonPatch`, with pauses. */
export function* decodeJsonPatchSteps(value: JsonValue): Steps<JsonPatch> {
  if (value === null) return [];
  if (!isJsonArray(value)) throw wrongType(value, 'jsonpatch.Patch');
  if (yield* isDeeperThanSteps(value, MAXIMUM_DEPTH)) throw new PatchError('decode', 'exceeded max depth');
  return value.map(decodeOperation);
}

function decodeOperation(value: JsonValue): JsonPatchOperation {
  if (value !== null && !isJsonObject(value)) throw wrongType(value, 'jsonpatch.Operation');
  return value;
}

function wrongType(value: JsonValue, type: string): PatchError {
  return new PatchError('decode', jsonTypeError(value, type).message);
}

const TEXT_MEMBERS = ['op', 'path', 'from'];

/**
 * Returns the strict decoding errors of a JSON patch: unknown members of operations, as
 * `json patch unknown field "[0].foo"`. The decoder detects duplicate members. Members that only differ in
 * case (`Op`) are unknown too.
 *
 * @throws PatchError `decode` if a value is not an array of objects, or `op`, `path` or `from` is not a
 * string. Its text is prefixed `error decoding patch: ` as semantics/patches#errors has it for warnings and
 * strict mode.
 */
export function strictJsonPatchFindings(value: JsonValue): readonly string[] {
  return runAtOnce(strictJsonPatchFindingsSteps(value));
}

/** Like `strictJsonPatchFindings`, with pauses. */
export function* strictJsonPatchFindingsSteps(value: JsonValue): Steps<readonly string[]> {
  if (value === null) return [];
  if (!isJsonArray(value)) throw strictWrongType(value, '[]handlers.jsonPatchOp');
  const findings: string[] = [];
  for (const [index, operation] of value.entries()) {
    if ((index & 1023) === 1023) yield;
    yield* addOperationFindings(findings, operation, index);
  }
  return findings;
}

function* addOperationFindings(findings: string[], operation: JsonValue, index: number): Steps<void> {
  if (operation === null) return;
  if (!isJsonObject(operation)) throw strictWrongType(operation, 'handlers.jsonPatchOp');
  for (const [place, key] of Object.keys(operation).entries()) {
    if ((place & 1023) === 1023) yield;
    const member = operation[key];
    if (member === undefined || key === 'value') continue;
    if (!TEXT_MEMBERS.includes(key)) findings.push(`json patch unknown field "[${index}].${key}"`);
    else if (member !== null && typeof member !== 'string')
      throw strictWrongType(member, 'string', `Go struct field jsonPatchOp.${key}`);
  }
}

function strictWrongType(value: JsonValue, type: string, place?: string): PatchError {
  return new PatchError('decode', `error decoding patch: ${jsonTypeError(value, type, place).message}`);
}
