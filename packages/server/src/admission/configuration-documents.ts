import { decodeDocument, rejectStrictErrors } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** @throws Error */
export function readKind(
  document: Uint8Array,
  kind: string,
  versions: readonly string[],
  fields: readonly string[],
): JsonObject {
  const read = decode(document);
  const { kind: actualKind, apiVersion } = isJsonObject(read) ? read : {};
  if (actualKind !== kind || !versions.includes(String(apiVersion)))
    throw new Error(`it must be of kind ${kind} and version ${versions.join(' or ')}`);
  return checkFields(read, '', ['kind', 'apiVersion', ...fields]);
}

export function decode(document: Uint8Array): JsonValue {
  const { value, strictErrors } = decodeDocument(document);
  rejectStrictErrors(strictErrors);
  return value;
}

/** @throws Error for another field */
export function checkFields(
  value: JsonValue | undefined,
  path: string,
  fields: readonly string[],
): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${path.slice(0, -1) || 'it'} must be an object`);
  const unknown = Object.keys(value).filter((field) => !fields.includes(field));
  if (unknown.length === 0) return value;
  const texts = unknown.map((field) => `unknown field "${path}${field}"`);
  throw new Error(`strict decoding error: ${texts.join(', ')}`);
}

export function checkTexts(value: JsonValue, path: string): JsonObject {
  const isTexts = isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
  if (isTexts) return value;
  throw new Error(`${path} must be an object of strings`);
}
