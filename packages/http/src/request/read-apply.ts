import { DecodeError, decodeCbor, decodeJsonSteps, yamlSerializer } from '@ashlar/codec';
import { isJsonObject, type JsonValue, jsonTypeError, StatusError, type Steps } from '@ashlar/core';
import type { FieldValidation } from '@ashlar/registry';
import { documentTooLarge } from './body-errors.ts';

export const APPLY_PATCH: string = 'application/apply-patch+yaml';
export const APPLY_CBOR_PATCH: string = 'application/apply-patch+cbor';

/** An applied configuration and the findings of its text. */
export interface ReadConfiguration {
  readonly configuration: JsonValue;
  /** For warnings. */
  readonly findings: readonly string[];
}

/**
 * Decodes the body of an apply request in YAML, which includes JSON (semantics/apply#admission). Strict validation rejects duplicate keys.
 * @throws StatusError 400, 413
 */
export function* readConfigurationSteps(
  bytes: Uint8Array,
  fieldValidation: FieldValidation,
): Steps<ReadConfiguration> {
  const json = yield* plainJson(bytes);
  if (json !== undefined) return { configuration: json, findings: [] };
  try {
    const { value, strictErrors, strictWarnings } = yield* yamlSerializer.decodeSteps(bytes, {
      strict: true,
    });
    if (fieldValidation === 'Strict' && strictErrors.length > 0) {
      const why = `error converting YAML to JSON: ${strictErrors.join(', ')}`;
      throw StatusError.badRequest(`error strict decoding YAML: ${why}`);
    }
    requireMap(value);
    return { configuration: value, findings: fieldValidation === 'Warn' ? strictWarnings : [] };
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    if (error.kind === 'too-large') throw documentTooLarge(error);
    throw StatusError.badRequest(
      `error decoding YAML: error converting YAML to JSON: ${error.message}`,
      error,
    );
  }
}

/**
 * Decodes the body of an apply request in CBOR, whose errors have the words of YAML (semantics/apply#admission).
 * @throws StatusError 400
 */
export function readCborConfiguration(bytes: Uint8Array): ReadConfiguration {
  try {
    const { value } = decodeCbor(bytes);
    if (value !== null && !isJsonObject(value)) throw new DecodeError(notMap(value));
    return { configuration: value, findings: [] };
  } catch (error) {
    if (!DecodeError.is(error)) throw error;
    if (error.kind === 'too-large') throw documentTooLarge(error);
    throw StatusError.badRequest(`error decoding YAML: ${error.message}`, error);
  }
}

function notMap(value: JsonValue): string {
  const type = Array.isArray(value) ? 'array' : MAJOR_TYPES[typeof value];
  return `cbor: cannot unmarshal ${type ?? 'primitives'} into Go value of type map[string]interface {}`;
}

const MAJOR_TYPES: Readonly<Record<string, string>> = {
  string: 'byte string',
  number: 'positive integer',
  bigint: 'positive integer',
};

/** Decodes JSON, which most clients send; without duplicate keys the result is the same as in YAML. */
function* plainJson(bytes: Uint8Array): Steps<JsonValue | undefined> {
  if (bytes[0] !== OPENING_BRACE) return undefined;
  try {
    const { value, duplicates } = yield* decodeJsonSteps(bytes, { duplicates: 'report' });
    return duplicates.length === 0 ? value : undefined;
  } catch (error) {
    if (DecodeError.is(error) && error.kind === 'too-large') throw documentTooLarge(error);
    return undefined;
  }
}

const OPENING_BRACE = 0x7b;

/** Checks that a configuration is a map; an empty document is rejected later because it has no kind. */
function requireMap(value: JsonValue): void {
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return;
  const why = jsonTypeError(value, 'map[string]interface {}').message;
  throw StatusError.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}
