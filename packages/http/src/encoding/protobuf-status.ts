import { compileProtobuf, encodeEnvelope } from '@ashlar/codec';
import { type JsonObject, statusSchema } from '@ashlar/core';

const codec = compileProtobuf(statusSchema);

/** Encodes a Status in its Protobuf envelope. */
export function encodeProtobufStatus(status: object): Uint8Array {
  return encodeEnvelope({ apiVersion: 'v1', kind: 'Status', raw: codec.encode(status as JsonObject) });
}
