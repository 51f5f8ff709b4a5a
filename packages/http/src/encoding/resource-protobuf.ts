import {
  compileProtobuf,
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
import type { Answer, ResourceDefinition, ResourceVersion } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { concatenated } from './concatenated.ts';
import type { EncodingBudget } from './encoding-budget.ts';
import { KeptEncodings } from './kept-encodings.ts';
import type { ListHead } from './list-body.ts';
import { mapAnswers } from './map-answers.ts';
import { glanceAt } from './object-encoding.ts';
import { encodeProtobufStatus } from './protobuf-status.ts';

const deleteOptions = compileProtobuf(deleteOptionsSchema);
const listMeta = compileProtobuf(listMetaSchema);
const partial = compileProtobuf(partialObjectMetadataSchema);
const partialList = compileProtobuf(listSchema(partialObjectMetadataSchema));

/** What a resource type shares with all of its server. */
export interface ProtobufContext {
  readonly vocabulary: Vocabulary;
  readonly budget: EncodingBudget;
}

/** The Protobuf form of one resource type (semantics/encodings#protobuf). What is compiled is compiled when it is first needed. */
export class ResourceProtobuf {
  readonly #version: ResourceVersion;
  readonly #vocabulary: Vocabulary;
  readonly #hasForm: boolean;
  readonly #items: KeptEncodings;
  readonly #metadataItems: KeptEncodings;
  #object: ProtobufCodec | undefined;

  constructor(
    { dialect }: ResourceDefinition,
    version: ResourceVersion,
    { vocabulary, budget }: ProtobufContext,
  ) {
    this.#version = version;
    this.#vocabulary = vocabulary;
    this.#hasForm = dialect === 'built-in';
    this.#items = new KeptEncodings(budget);
    this.#metadataItems = new KeptEncodings(budget);
  }

  /** An object in its envelope. */
  encode(answer: Answer): readonly Uint8Array[] {
    const { apiVersion, kind } = glanceAt(answer) as { apiVersion: string; kind: string };
    const raw = protobufItemMessage(this.#item(answer));
    const { head, tail } = envelopeFrame({ apiVersion, kind, rawBytes: raw.length });
    return [head, raw, tail];
  }

  /** A list in its envelope; items name no kind, and the message of a record is made once. */
  *encodeListSteps(head: ListHead, answers: readonly Answer[]): Steps<readonly Uint8Array[]> {
    this.#compiled();
    return framed(head, yield* mapAnswers(answers, (answer) => this.#item(answer)));
  }

  /** The metadata of the items of a list in its envelope. */
  *encodeMetadataListSteps(head: ListHead, answers: readonly Answer[]): Steps<readonly Uint8Array[]> {
    const make = (answer: Answer): Uint8Array => {
      const { metadata } = glanceAt(answer);
      return protobufListItem(partial.encode({ metadata } as unknown as JsonObject));
    };
    const item = (answer: Answer): Uint8Array =>
      answer instanceof ObjectRecord ? this.#metadataItems.of(answer, make) : make(answer);
    return framed(head, yield* mapAnswers(answers, item));
  }

  /** Metadata of an object, or of a list of them, in its envelope. */
  encodeView(view: object): Uint8Array {
    return enveloped('items' in view ? partialList : partial, view);
  }

  /**
   * A body in its envelope as the object that it stands for.
   * @throws DecodeError
   */
  *decodeSteps(bytes: Uint8Array): Steps<JsonValue> {
    const codec = this.#compiled();
    const { apiVersion, kind, raw } = decodeEnvelope(bytes);
    return { ...(yield* codec.decodeSteps(raw)), ...(kind && { kind }), ...(apiVersion && { apiVersion }) };
  }

  /** The options of a deletion, which clients name under any group version. */
  decodeDeleteOptions(bytes: Uint8Array): JsonValue {
    const { kind, raw } = decodeEnvelope(bytes);
    return { ...deleteOptions.decode(raw), ...(kind && { kind }) };
  }

  /** One event of a watch; the object in it is an envelope of its own, made once per record. */
  frame(type: WatchEventType, answer: Answer, view: ((answer: Answer) => object) | undefined): Uint8Array {
    if (view) return frameProtobufEvent(type, this.encodeView(view(answer)));
    const make = (): Uint8Array => frameProtobufEvent(type, concatenated(this.encode(answer)));
    return answer instanceof ObjectRecord ? answer.memoInTurn(`protobuf/${type}`, make) : make();
  }

  /** The failure of a watch. */
  errorFrame(status: object): Uint8Array {
    return frameProtobufEvent('ERROR', encodeProtobufStatus(status));
  }

  /** An object as an item of a list. */
  #item(answer: Answer): Uint8Array {
    return answer instanceof ObjectRecord ? this.#items.of(answer, this.#make) : this.#make(answer);
  }

  readonly #make = (answer: Answer): Uint8Array =>
    protobufListItem(this.#compiled().encode(glanceAt(answer) as unknown as JsonObject));

  #compiled(): ProtobufCodec {
    if (!this.#hasForm)
      throw StatusError.notAcceptable([
        'application/json',
        'application/yaml',
        this.#vocabulary.protobufMediaType,
      ]);
    this.#object ??= compileProtobuf(this.#version.schema);
    return this.#object;
  }
}

/** Items of a list between what stands before and behind them. */
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
  if (!isJsonObject(object)) throw new TypeError('only objects have a Protobuf form');
  return encodeEnvelope({ apiVersion, kind, raw: codec.encode(object as JsonObject) });
}
