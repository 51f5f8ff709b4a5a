import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@ashlar/core';
import { encodeMessage, type Field, type Message, messageHead, named } from './openapi-protobuf-writer.ts';

/** The parts of an encoded message, with their length. */
export class MessageParts {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Adds encoded fields. */
  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  /** Adds a field that holds a message. */
  addField(fieldNumber: number, message: MessageParts): void {
    this.add(messageHead(fieldNumber, message.#length));
    for (const part of message.#parts) this.add(part);
  }

  /** The bytes of all, which are copied once, with pauses. */
  *finish(): Steps<Uint8Array> {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    let due = PAUSE_BYTES;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
      if (at < due) continue;
      due = at + PAUSE_BYTES;
      yield;
    }
    return bytes;
  }
}

/** Bytes that are copied between pauses. */
const PAUSE_BYTES = 1_048_576;

/** Encodes a map whose only field are pairs of name and value, with a pause after each. */
export function* encodePairsSteps(
  fieldNumber: number,
  pairs: JsonValue | undefined,
  field: Field,
): Steps<MessageParts> {
  const parts = new MessageParts();
  const map: Message = { fields: { pair: [fieldNumber, named(field)] } };
  for (const [name, member] of Object.entries(isJsonObject(pairs ?? null) ? (pairs as JsonObject) : {})) {
    parts.add(encodeMessage(map, { pair: { [name]: member } }));
    yield;
  }
  return parts;
}
