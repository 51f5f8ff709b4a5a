import {
  compileProtobuf,
  decodeEnvelope,
  encodeEnvelope,
  encodeProtobufList,
  frameProtobufEvent,
  listSchema,
  type ProtobufCodec,
} from '@ashlar/codec';
import {
  deleteOptionsSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listMetaSchema,
  partialObjectMetadataSchema,
  type Schema,
  StatusError,
  type Vocabulary,
  type WatchEventType,
} from '@ashlar/core';
import type { Answer, ResourceDefinition, ResourceVersion } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { encodeProtobufStatus } from './protobuf-status.ts';

const deleteOptions = compileProtobuf(deleteOptionsSchema);
const listMeta = compileProtobuf(listMetaSchema);
const partial = compileProtobuf(partialObjectMetadataSchema);
const partialList = compileProtobuf(listSchema(partialObjectMetadataSchema));

/** The Protobuf form of one resource type (semantics I6). What is compiled is compiled when it is first needed. */
export class ResourceProtobuf {
  readonly #schema: Schema;
  readonly #vocabulary: Vocabulary;
  readonly #hasForm: boolean;
  #object: ProtobufCodec | undefined;

  constructor({ dialect }: ResourceDefinition, { schema }: ResourceVersion, vocabulary: Vocabulary) {
    this.#schema = schema;
    this.#vocabulary = vocabulary;
    this.#hasForm = dialect === 'built-in';
  }

  /** An object in its envelope. */
  encode(object: object): Uint8Array {
    this.#object ??= this.#compile(this.#schema);
    return enveloped(this.#object, object);
  }

  /** A list in its envelope; items name no kind, and the message of a record is made once. */
  encodeList(
    {
      apiVersion,
      kind,
      metadata,
    }: { readonly apiVersion: string; readonly kind: string; readonly metadata: object },
    answers: readonly Answer[],
  ): Uint8Array {
    this.#object ??= this.#compile(this.#schema);
    const codec = this.#object;
    const message = (object: object): Uint8Array => codec.encode(object as JsonObject);
    const items = answers.map((answer) =>
      answer instanceof ObjectRecord
        ? answer.memo('protobuf', () => message(answer.object))
        : message(answer),
    );
    return encodeProtobufList({ apiVersion, kind, metadata: listMeta.encode(metadata as JsonObject), items });
  }

  /** Metadata of an object, or of a list of them, in its envelope. */
  encodeView(view: object): Uint8Array {
    return enveloped('items' in view ? partialList : partial, view);
  }

  /**
   * A body in its envelope as the object that it stands for.
   * @throws DecodeError
   */
  decode(bytes: Uint8Array): JsonValue {
    this.#object ??= this.#compile(this.#schema);
    const { apiVersion, kind, raw } = decodeEnvelope(bytes);
    return { ...this.#object.decode(raw), ...(kind && { kind }), ...(apiVersion && { apiVersion }) };
  }

  /** The options of a deletion, which clients name under any group version. */
  decodeDeleteOptions(bytes: Uint8Array): JsonValue {
    const { kind, raw } = decodeEnvelope(bytes);
    return { ...deleteOptions.decode(raw), ...(kind && { kind }) };
  }

  /** One event of a watch; the object in it is an envelope of its own, made once per record. */
  frame(type: WatchEventType, answer: Answer, view: ((answer: Answer) => object) | undefined): Uint8Array {
    if (view) return frameProtobufEvent(type, this.encodeView(view(answer)));
    if (!(answer instanceof ObjectRecord)) return frameProtobufEvent(type, this.encode(answer));
    return answer.memo(`protobuf/${type}`, () => frameProtobufEvent(type, this.encode(answer.object)));
  }

  /** The failure of a watch. */
  errorFrame(status: object): Uint8Array {
    return frameProtobufEvent('ERROR', encodeProtobufStatus(status));
  }

  #compile(schema: Schema): ProtobufCodec {
    if (!this.#hasForm)
      throw StatusError.notAcceptable([
        'application/json',
        'application/yaml',
        this.#vocabulary.protobufMediaType,
      ]);
    return compileProtobuf(schema);
  }
}

function enveloped(codec: ProtobufCodec, object: object): Uint8Array {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  if (!isJsonObject(object)) throw new TypeError('only objects have a Protobuf form');
  return encodeEnvelope({ apiVersion, kind, raw: codec.encode(object as JsonObject) });
}
