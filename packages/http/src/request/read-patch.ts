import { DecodeError, decodeJsonSteps } from '@ashlar/codec';
import {
  doneSteps,
  errorMessage,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Schema,
  StatusError,
  type Steps,
} from '@ashlar/core';
import {
  applyJsonPatchSteps,
  applyMergePatchSteps,
  applyStrategicMergePatchSteps,
  decodeJsonPatchSteps,
  decodeMergePatch,
  decodeStrategicMergePatch,
  PatchError,
  strictJsonPatchFindingsSteps,
} from '@ashlar/patch';
import type { FieldValidation } from '@ashlar/registry';
import { documentTooLarge } from './body-errors.ts';

export const JSON_PATCH: string = 'application/json-patch+json';
export const MERGE_PATCH: string = 'application/merge-patch+json';
export const STRATEGIC_MERGE_PATCH: string = 'application/strategic-merge-patch+json';

/** A decoded patch: the findings of its text, and how to apply it. */
export interface ReadPatch {
  /** For warnings, or for the error of strict validation. */
  readonly findings: readonly string[];
  /** The patch, if it is a strategic merge patch. */
  readonly strategic?: JsonValue;
  /** @throws StatusError (semantics/patches#errors) */
  applySteps(document: JsonObject): Steps<JsonValue>;
}

/**
 * Decodes the body of a patch.
 * @param schema of the patched objects, which strategic merge patches depend on
 * @throws StatusError 400, 413
 */
export function* readPatchSteps(
  type: string,
  bytes: Uint8Array,
  fieldValidation: FieldValidation,
  schema: Schema,
): Steps<ReadPatch> {
  const isValidated = fieldValidation !== 'Ignore';
  if (!isValidated && type === MERGE_PATCH) return yield* readUncheckedMergePatch(bytes);
  const { value, duplicates } = yield* decodePatch(bytes, isValidated && type !== STRATEGIC_MERGE_PATCH);
  const found = isValidated ? duplicates.map((path) => `duplicate field ${goQuote(path)}`) : [];
  if (type === JSON_PATCH) return yield* readJsonPatch(value, found, isValidated);
  return type === MERGE_PATCH ? readMergePatch(value, found) : readStrategicMergePatch(value, found, schema);
}

function* decodePatch(
  bytes: Uint8Array,
  prefixed: boolean,
): Steps<{ value: JsonValue; duplicates: readonly string[] }> {
  try {
    return yield* decodeJsonSteps(bytes, { duplicates: 'report' });
  } catch (error) {
    if (DecodeError.is(error) && error.kind === 'too-large') throw documentTooLarge(error);
    const text = errorMessage(error);
    throw StatusError.badRequest(prefixed ? `error decoding patch: ${text}` : text, error);
  }
}

function* readJsonPatch(
  value: JsonValue,
  duplicates: readonly string[],
  isValidated: boolean,
): Steps<ReadPatch> {
  const own = isValidated ? yield* withPatchErrorsSteps(strictJsonPatchFindingsSteps(value)) : [];
  const patch = yield* withPatchErrorsSteps(decodeJsonPatchSteps(value));
  const findings = [...duplicates.map((text) => `json patch ${text}`), ...own];
  return { findings, applySteps: (document) => withPatchErrorsSteps(applyJsonPatchSteps(document, patch)) };
}

function readMergePatch(value: JsonValue, findings: readonly string[]): ReadPatch {
  const patch = withPatchErrors(() => decodeMergePatch(value));
  return { findings, applySteps: (document) => withPatchErrorsSteps(applyMergePatchSteps(document, patch)) };
}

/** Reads a merge patch whose fields are not checked: an array takes the place of the object, anything else is no patch. */
function* readUncheckedMergePatch(bytes: Uint8Array): Steps<ReadPatch> {
  const value = yield* decodeUnchecked(bytes);
  if (isJsonObject(value)) return readMergePatch(value, []);
  if (!Array.isArray(value)) throw StatusError.badRequest('Invalid JSON Patch');
  return {
    findings: [],
    applySteps: (document) => withPatchErrorsSteps(applyMergePatchSteps(document, value)),
  };
}

function* decodeUnchecked(bytes: Uint8Array): Steps<JsonValue> {
  try {
    return (yield* decodeJsonSteps(bytes, { duplicates: 'report' })).value;
  } catch (error) {
    if (DecodeError.is(error) && error.kind === 'too-large') throw documentTooLarge(error);
    throw StatusError.badRequest('Invalid JSON Patch', error);
  }
}

function readStrategicMergePatch(value: JsonValue, findings: readonly string[], schema: Schema): ReadPatch {
  const patch = withPatchErrors(() => decodeStrategicMergePatch(value));
  return {
    findings,
    strategic: patch,
    applySteps: (document) =>
      isJsonObject(patch) ? strategicallyPatched(document, patch, schema) : doneSteps(document),
  };
}

function* strategicallyPatched(document: JsonObject, patch: JsonObject, schema: Schema): Steps<JsonValue> {
  const patched = yield* withPatchErrorsSteps(applyStrategicMergePatchSteps(document, patch, schema));
  return isJsonObject(patched) ? withKindOf(document, patched) : patched;
}

/** Kind and version that a strategic merge patch gives are not looked at, as long as they are text. */
function withKindOf({ kind, apiVersion }: JsonObject, patched: JsonObject): JsonObject {
  return {
    ...patched,
    ...(isReplaceable(patched.kind) && { kind }),
    ...(isReplaceable(patched.apiVersion) && { apiVersion }),
  };
}

const isReplaceable = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || typeof value === 'string';

/** Runs a function and converts errors of patches to API errors (semantics/patches#errors). */
function withPatchErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw toApiError(error);
  }
}

function* withPatchErrorsSteps<T>(steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw toApiError(error);
  }
}

function toApiError(error: unknown): unknown {
  if (!PatchError.is(error)) return error;
  if (error.kind === 'decode' || error.kind === 'bad-request')
    return StatusError.badRequest(error.message, error);
  if (error.kind === 'too-many-operations' || error.kind === 'too-large')
    return StatusError.requestEntityTooLarge(error.message);
  return StatusError.unprocessable(error);
}
