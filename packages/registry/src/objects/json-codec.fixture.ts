import type { ApiObject } from '@ashlar/core';
import type { ObjectCodec } from '@ashlar/storage';

/** Stores objects as JSON, without their resource version. */
export const jsonCodec: ObjectCodec = {
  encode: ({ metadata: { resourceVersion: _, ...metadata }, ...rest }) =>
    new TextEncoder().encode(JSON.stringify({ ...rest, metadata })),
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as ApiObject,
};
