import { decodeJson, encodeJson } from '@ashlar/codec';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { ObjectCodec } from '@ashlar/storage';

/** How objects are stored: JSON without `metadata.resourceVersion`, which only the write decides. */
export const objectCodec: ObjectCodec = {
  encode(object) {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return encodeJson({ ...object, metadata } as unknown as JsonValue);
  },
  // stored bytes were checked before they were written
  decode: (bytes) =>
    decodeJson(bytes, { maximumValues: Number.POSITIVE_INFINITY }).value as unknown as ApiObject,
};
