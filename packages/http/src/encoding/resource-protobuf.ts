import {
  compileProtobuf,
  DecodeError,
  decodeEnvelope,
  encodeEnvelope,
  envelopeFrame,
  frameProtobufEvent,
  listSchema,
  type ProtobufCodec,
  protobufItemMessage,
  protobufListFrame,
  protobufListItem,
} from '@ashlar/codec';
import {
  type ApiObject,
  deleteOptionsSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listMetaSchema,
  partialObjectMetadataSchema,
  StatusError,
  type Steps,
  type Vocabulary,
  type WatchEventType,
} from '@ashlar/core';
import {
  type ResourceDefinition,
  type ResourceVersion,
  type ResultObject,
  withoutAnnotations,
} from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { BlockCache } from './block-cache.ts';
import { concatenated } from './concatenated.ts';
import type { EncodingBudget } from './encoding-budget.ts';
import type { ListHead } from './list-head.ts';
import type { ListItems } from './list-items.ts';
import { encodeProtobufStatus } from './protobuf-status.ts';
import { decodedSteps, uncachedObjectOf } from './result-object.ts';

const deleteOptions = compileProtobuf(deleteOptionsSchema);
const listMeta = compileProtobuf(listMetaSchema);
const partial = compileProtobuf(partialObjectMetadataSchema);
const partialList = compileProtobuf(listSchema(partialObjectMetadataSchema));

/** What all resource types of a server share. */
export interface ProtobufContext {
  readonly vocabulary: Vocabulary;
  readonly budget: EncodingBudget;
}

/** Encodes and decodes one resource type in Protobuf (semantics/encodings#protobuf). The codec is compiled on first use. */
export class ResourceProtobuf {
  readonly #version: ResourceVersion;
  readonly #vocabulary: Vocabulary;
  readonly #isSupported: boolean;
  readonly #items: BlockCache;
  readonly #metadataItems: BlockCache;
  #object: ProtobufCodec | undefined;

  constructor(
    { dialect }: ResourceDefinition,
    version: ResourceVersion,
    { vocabulary, budget }: ProtobufContext,
  ) {
    this.#version = version;
    this.#vocabulary = vocabulary;
    this.#isSupported = dialect === 'built-in';
    this.#items = new BlockCache(budget);
    this.#metadataItems = new BlockCache(budget);
  }

  /** Encodes an object in its envelope. */
  encode(result: ResultObject): readonly Uint8Array[] {
    return inEnvelope(uncachedObjectOf(result), protobufItemMessage(this.#item(result)));
  }

  /** As `encode`, with pauses, for large objects; nothing is cached. */
  *encodeSteps(object: ApiObject): Steps<readonly Uint8Array[]> {
    return inEnvelope(object, yield* this.#compiled().encodeSteps(object as unknown as JsonObject));
  }

  /** Encodes a list in its envelope; items have no kind, and messages of records are cached. */
  *encodeListSteps(head: ListHead, list: ListItems): Steps<readonly Uint8Array[]> {
    this.#compiled();
    const encoder = { encode: this.#encodeItem, encodeSteps: this.#encodeItemSteps };
    return framed(head, yield* this.#items.encodeSteps(list, encoder));
  }

  /** Encodes the metadata of the items of a list in its envelope. */
  *encodeMetadataListSteps(head: ListHead, list: ListItems): Steps<readonly Uint8Array[]> {
    const viewOf = ({ metadata }: ApiObject): JsonObject =>
      ({ metadata: withoutAnnotations(metadata, this.#version.fieldAnnotations ?? []) }) as never;
    const encode = (result: ResultObject): Uint8Array =>
      protobufListItem(partial.encode(viewOf(uncachedObjectOf(result))));
    const encodeSteps = function* (record: ObjectRecord): Steps<Uint8Array> {
      return protobufListItem(yield* partial.encodeSteps(viewOf(yield* decodedSteps(record))));
    };
    return framed(head, yield* this.#metadataItems.encodeSteps(list, { encode, encodeSteps }));
  }

  /** Encodes PartialObjectMetadata, or a list of them, in its envelope. */
  encodeView(view: object): Uint8Array {
    return enveloped('items' in view ? partialList : partial, view);
  }

  /**
   * Decodes a request body in its envelope to a JSON object.
   * @throws DecodeError
   */
  *decodeSteps(bytes: Uint8Array): Steps<JsonValue> {
    const codec = this.#compiled();
    const { apiVersion, kind, raw } = decodeEnvelope(bytes);
    try {
      return { ...(yield* codec.decodeSteps(raw)), ...(kind && { kind }), ...(apiVersion && { apiVersion }) };
    } catch (error) {
      // what the object is, is known by its envelope
      throw DecodeError.is(error) ? new DecodeError(error.message, error, { apiVersion, kind }) : error;
    }
  }

  /** Decodes DeleteOptions, which clients send with any group version. */
  decodeDeleteOptions(bytes: Uint8Array): JsonValue {
    const { kind, raw } = decodeEnvelope(bytes);
    return { ...deleteOptions.decode(raw), ...(kind && { kind }) };
  }

  /** Encodes a watch event; the object in it has an envelope of its own. Frames of records are encoded once for all watchers. */
  frame(
    type: WatchEventType,
    result: ResultObject,
    view: ((result: ResultObject) => object) | undefined,
  ): Uint8Array {
    if (view) return frameProtobufEvent(type, this.encodeView(view(result)));
    const make = (): Uint8Array => frameProtobufEvent(type, concatenated(this.encode(result)));
    return ObjectRecord.is(result) ? result.memoInTurn(`protobuf/${type}`, make) : make();
  }

  /** As `frame`, with pauses, for large records. */
  *frameSteps(type: WatchEventType, record: ObjectRecord): Steps<Uint8Array> {
    const item = yield* this.#items.itemSteps(record, this.#encodeItemSteps);
    yield;
    const object = concatenated(inEnvelope(record.type, protobufItemMessage(item)));
    yield;
    return frameProtobufEvent(type, object);
  }

  /** Encodes an ERROR event. */
  errorFrame(status: object): Uint8Array {
    return frameProtobufEvent('ERROR', encodeProtobufStatus(status));
  }

  /** Encodes an object as a list item. */
  #item(result: ResultObject): Uint8Array {
    return ObjectRecord.is(result) ? this.#items.item(result, this.#encodeItem) : this.#encodeItem(result);
  }

  readonly #encodeItem = (result: ResultObject): Uint8Array =>
    protobufListItem(this.#compiled().encode(uncachedObjectOf(result) as unknown as JsonObject));

  readonly #encodeItemSteps = (record: ObjectRecord): Steps<Uint8Array> =>
    itemSteps(this.#compiled(), record);

  #compiled(): ProtobufCodec {
    if (!this.#isSupported)
      throw StatusError.notAcceptable([
        'application/json',
        'application/yaml',
        this.#vocabulary.protobufMediaType,
      ]);
    this.#object ??= compileProtobuf(this.#version.schema);
    return this.#object;
  }
}

function* itemSteps(codec: ProtobufCodec, record: ObjectRecord): Steps<Uint8Array> {
  return protobufListItem(yield* codec.encodeSteps((yield* decodedSteps(record)) as unknown as JsonObject));
}

function inEnvelope(
  { apiVersion, kind }: Pick<ApiObject, 'apiVersion' | 'kind'>,
  raw: Uint8Array,
): readonly Uint8Array[] {
  const { head, tail } = envelopeFrame({ apiVersion, kind, rawBytes: raw.length });
  return [head, raw, tail];
}

/** Adds the head and tail of a list to its encoded items. */
function framed({ metadata, ...head }: ListHead, items: Uint8Array[]): readonly Uint8Array[] {
  const itemBytes = items.reduce((bytes, { length }) => bytes + length, 0);
  const { head: start, tail } = protobufListFrame({
    ...head,
    metadata: listMeta.encode(metadata as JsonObject),
    itemBytes,
  });
  items.unshift(start);
  items.push(tail);
  return items;
}

function enveloped(codec: ProtobufCodec, object: object): Uint8Array {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  if (!isJsonObject(object)) throw new TypeError('only objects can be encoded as Protobuf');
  return encodeEnvelope({ apiVersion, kind, raw: codec.encode(object as JsonObject) });
}
