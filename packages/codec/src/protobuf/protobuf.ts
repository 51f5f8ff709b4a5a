import type { JsonObject, Schema, Steps } from '@ashlar/core';
import type { DocumentLimits } from '../serializers/document-limits.ts';
import { messageOf } from './protobuf-message.ts';
import { createWriter, ReadBudget } from './protobuf-wire.ts';

/** The Protobuf codec of the objects of one schema, without an envelope. */
export interface ProtobufCodec {
  /**
   * Encodes an object; `kind` and `apiVersion` belong to the envelope.
   * @throws TypeError if the object does not match the schema
   */
  encode(object: JsonObject): Uint8Array;
  /** As `encode`, with pauses, for large objects. */
  encodeSteps(object: JsonObject): Steps<Uint8Array>;
  /**
   * Decodes a message to its JSON form: zero values of required fields are omitted unless they are always
   * printed, so that unset fields do not appear. Unknown fields are skipped.
   * @throws DecodeError if the bytes are not a valid message; of the kind `too-large` beyond the limits,
   * where each field counts as a value
   */
  decode(bytes: Uint8Array, limits?: DocumentLimits): JsonObject;
  /** As `decode`, with pauses, for large messages. */
  decodeSteps(bytes: Uint8Array, limits?: DocumentLimits): Steps<JsonObject>;
}

/**
 * Compiles the Protobuf codec of a schema (semantics/encodings#protobuf). Every property has a field number
 * in `tag`; a list of numbers is a path through embedded messages whose fields JSON inlines. `optional`,
 * `format`, `intOrString`, `items` and `additionalProperties` determine the rest; a list with a `typeName`,
 * or inside a map, is a message of its own; `anyOf` with tags is a value of several shapes.
 *
 * @throws TypeError on first use, if a property has no Protobuf form
 * @example
 * const codec = compileProtobuf({ type: 'object', properties: { name: { type: 'string', tag: 1 } } });
 * codec.decode(codec.encode({ name: 'a' })); // { name: 'a' }
 */
export function compileProtobuf(schema: Schema): ProtobufCodec {
  const message = messageOf(schema);
  return {
    encode(object) {
      const writer = createWriter();
      message.write(writer, object);
      return writer.finish();
    },
    *encodeSteps(object) {
      const writer = createWriter();
      yield* message.writeSteps(writer, object);
      return writer.finish();
    },
    decode: (bytes, limits) => message.read(bytes, new ReadBudget(limits?.maximumValues)),
    decodeSteps: (bytes, limits) => message.readSteps(bytes, new ReadBudget(limits?.maximumValues)),
  };
}
