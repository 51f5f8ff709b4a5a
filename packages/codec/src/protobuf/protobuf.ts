import type { JsonObject, Schema, Steps } from '@ashlar/core';
import type { DocumentLimits } from '../serializers/document-limits.ts';
import { messageOf } from './protobuf-message.ts';
import { createWriter, ReadBudget } from './protobuf-wire.ts';

/** The Protobuf form of the objects of one schema, without an envelope. */
export interface ProtobufCodec {
  /**
   * The message of an object; `kind` and `apiVersion` are left to the envelope.
   * @throws TypeError if the object does not fit the schema
   */
  encode(object: JsonObject): Uint8Array;
  /**
   * The object of a message as its JSON form is: zero values of fields that are not optional are left out unless they are
   * always printed, so that unset fields do not appear. Unknown fields are skipped.
   * @throws DecodeError if the bytes are no message; of the kind `too-large` beyond the limits, where each field counts as a
   * value
   */
  decode(bytes: Uint8Array, limits?: DocumentLimits): JsonObject;
  /** As `decode`, with pauses: for messages that are large. */
  decodeSteps(bytes: Uint8Array, limits?: DocumentLimits): Steps<JsonObject>;
}

/**
 * Compiles the Protobuf form that a schema describes (semantics/encodings#protobuf). Every property has a field number in `tag`; a list of numbers
 * leads through embedded messages whose fields JSON keeps among the object's own. `optional`, `format`, `intOrString`, `items` and
 * `additionalProperties` say the rest; a list with a `typeName`, or inside of a map, is a message of its own; `anyOf` with tags is a
 * value of several shapes.
 *
 * @throws TypeError at first use, where a property has no Protobuf form
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
    decode: (bytes, limits) => message.read(bytes, new ReadBudget(limits?.maximumValues)),
    decodeSteps: (bytes, limits) => message.readSteps(bytes, new ReadBudget(limits?.maximumValues)),
  };
}
