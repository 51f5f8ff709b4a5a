import { decodeJson, decodeJsonSteps, encodeJson, encodeJsonSteps } from '@ashlar/codec';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { ObjectCodec } from '@ashlar/storage';

/** How objects are stored: JSON without `metadata.resourceVersion`, which only the write decides. */
export const objectCodec: ObjectCodec = {
  encode: (object) => encodeJson(withoutResourceVersion(object)),
  encodeSteps: (object) => encodeJsonSteps(withoutResourceVersion(object)),
  decode: (bytes) => decodeJson(bytes, UNLIMITED).value as unknown as ApiObject,
  *decodeSteps(bytes) {
    return (yield* decodeJsonSteps(bytes, UNLIMITED)).value as unknown as ApiObject;
  },
};

/** Stored bytes were checked before they were written. */
const UNLIMITED = { maximumValues: Number.POSITIVE_INFINITY } as const;

/** A member that is undefined is not encoded. */
function withoutResourceVersion(object: ApiObject): JsonValue {
  const { metadata } = object;
  if (metadata.resourceVersion === undefined) return object as unknown as JsonValue;
  return { ...object, metadata: { ...metadata, resourceVersion: undefined } } as unknown as JsonValue;
}
