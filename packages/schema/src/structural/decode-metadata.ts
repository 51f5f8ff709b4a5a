import { compareUtf8, isJsonObject, type JsonObject, type JsonValue, objectMetaSchema } from '@ashlar/core';
import type { ReportStrictFieldError } from '../typed/typed-context.ts';
import { compileTyped } from '../typed/typed-decode.ts';
import { TypedDecodeError } from '../typed/typed-decode-error.ts';

/** An unset creation time is omitted here, as in all custom objects. */
const metadataCodec = compileTyped({
  ...objectMetaSchema,
  properties: {
    ...objectMetaSchema.properties,
    creationTimestamp: { ...objectMetaSchema.properties?.creationTimestamp, alwaysPrinted: false },
  },
});

/**
 * Decodes the metadata of a custom object, or of a resource embedded in it.
 * @param report called with unknown and repeated fields
 * @throws TypedDecodeError that tells, of several values of wrong types, the first by the names of members
 */
export function decodeMetadata(value: JsonValue, report: ReportStrictFieldError): JsonObject {
  try {
    return metadataCodec.decode(value, report);
  } catch (error) {
    if (error instanceof TypedDecodeError) metadataCodec.decode(withSortedMembers(value, DEPTH), () => {});
    throw error;
  }
}

/** How deep the fields of metadata are nested: in items of lists. What is unknown may be nested deeper. */
const DEPTH = 4;

function withSortedMembers(value: JsonValue, depth: number): JsonValue {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withSortedMembers(item, depth - 1));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort(compareUtf8);
  return Object.fromEntries(
    names.map((name) => [name, withSortedMembers(value[name] as JsonValue, depth - 1)]),
  );
}

/** Whether metadata have no value of a wrong type. */
export function fitsMetadata(value: JsonObject): boolean {
  try {
    metadataCodec.decode(value, () => {});
    return true;
  } catch (error) {
    if (error instanceof TypedDecodeError) return false;
    throw error;
  }
}
