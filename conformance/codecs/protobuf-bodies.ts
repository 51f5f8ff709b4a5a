import { compileProtobuf, encodeEnvelope } from '@ashlar/codec';
import type { JsonObject } from '@ashlar/core';
import type { BodyFormat, EncodedKind } from './body-format.ts';
import { brokenBody } from './broken-bodies.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Bodies in Protobuf. */
export const protobufBodies: BodyFormat = {
  mediaType: PROTOBUF,
  accepts: [
    PROTOBUF,
    PROTOBUF,
    PROTOBUF,
    'application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
  ],
  hasCustomObjects: false,
  encode: encoded,
  unusual(choices, kind, object) {
    const whole = encoded(kind, object);
    return whole && brokenBody(choices, whole);
  },
};

function encoded({ apiVersion, kind, schema }: EncodedKind, object: JsonObject): Uint8Array | undefined {
  try {
    return encodeEnvelope({ apiVersion, kind, raw: compileProtobuf(schema).encode(object) });
  } catch (error) {
    // recorded objects also have members of other types
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
