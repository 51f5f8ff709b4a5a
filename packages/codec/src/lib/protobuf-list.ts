import { encodeEnvelope } from './protobuf-envelope.ts';
import { createWriter, WireType, writeKey } from './protobuf-wire.ts';

/** A list whose parts are messages already. */
export interface ProtobufList {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message of its ListMeta. */
  readonly metadata: Uint8Array;
  readonly items: readonly Uint8Array[];
}

/** Puts a list into its envelope: metadata is member 1, items are members 2 of every list (semantics I6). */
export function encodeProtobufList({ apiVersion, kind, metadata, items }: ProtobufList): Uint8Array {
  const writer = createWriter();
  writeKey(writer, 1, WireType.bytes).bytes(metadata);
  for (const item of items) writeKey(writer, 2, WireType.bytes).bytes(item);
  return encodeEnvelope({ apiVersion, kind, raw: writer.finish() });
}
