import {
  type CborCodec,
  compileCbor,
  encodeCbor,
  frameCborEvent,
  plainCbor,
  selfDescribed,
} from '@ashlar/codec';
import {
  type ApiObject,
  deleteOptionsSchema,
  type JsonValue,
  type Steps,
  type WatchEventType,
} from '@ashlar/core';
import type { ResourceDefinition, ResourceVersion, ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { BlockCache } from './block-cache.ts';
import type { EncodingBudget } from './encoding-budget.ts';
import { EncodingCache } from './encoding-cache.ts';
import type { ListItems } from './list-items.ts';
import { decodedSteps, uncachedObjectOf, withoutKind } from './result-object.ts';

const deleteOptions = compileCbor(deleteOptionsSchema);

/** A map or list with fewer entries has its length in the first byte. */
const SHORT = 24;

/** Encodes and decodes one resource type in CBOR (semantics/encodings#cbor). The codec is compiled on first use. */
export class ResourceCbor {
  readonly #definition: ResourceDefinition;
  readonly #version: ResourceVersion;
  readonly #objects: EncodingCache;
  readonly #items: BlockCache;
  #codec: CborCodec | undefined;

  constructor(definition: ResourceDefinition, version: ResourceVersion, budget: EncodingBudget) {
    this.#objects = new EncodingCache(budget);
    this.#items = new BlockCache(budget);
    this.#definition = definition;
    this.#version = version;
  }

  /** Encodes an object with the self-described tag; encodings of records are cached. */
  encode(result: ResultObject): Uint8Array {
    const make = (): Uint8Array => selfDescribed(this.#compiled().encode(uncachedObjectOf(result)));
    return ObjectRecord.is(result) ? this.#objects.getOrEncode(result, make) : make();
  }

  /** As `encode`, with pauses, for large objects; nothing is cached. */
  *encodeSteps(object: ApiObject): Steps<Uint8Array> {
    return selfDescribed(yield* this.#compiled().encodeSteps(object));
  }

  /** Encodes a list with the self-described tag, in pieces. */
  *encodeListSteps(head: object, list: ListItems): Steps<readonly Uint8Array[]> {
    const members = Object.keys(head).length + 1;
    if (members >= SHORT) throw new TypeError(`the head of a list must have fewer than ${SHORT} members`);
    // the map of the head gets one more member: the items, whose key and length follow it
    const start = encodeCbor(head);
    start[0] = 0xa0 | members;
    const encoder = { encode: this.#encodeItem, encodeSteps: this.#encodeItemSteps };
    const pieces = yield* this.#items.encodeSteps(list, encoder);
    pieces.unshift(selfDescribed(start), encodeCbor('items'), arrayHead(list.items.length));
    return pieces;
  }

  /** Encodes a watch event; the object in it has a tag of its own. Frames of records are encoded once for all watchers. */
  frame(
    type: WatchEventType,
    result: ResultObject,
    view: ((result: ResultObject) => object) | undefined,
  ): Uint8Array {
    if (view) return frameCborEvent(type, selfDescribed(encodeCbor(view(result))));
    const make = (): Uint8Array => frameCborEvent(type, this.encode(result));
    return ObjectRecord.is(result) ? result.memoInTurn(`cbor/${type}`, make) : make();
  }

  /** As `frame`, with pauses, for large records. */
  *frameSteps(type: WatchEventType, record: ObjectRecord): Steps<Uint8Array> {
    const cached = this.#objects.get(record);
    const object = cached ?? (yield* this.encodeSteps(yield* decodedSteps(record)));
    if (!cached) this.#objects.set(record, object);
    return frameCborEvent(type, object);
  }

  /** Encodes an ERROR event. */
  errorFrame(status: object): Uint8Array {
    return frameCborEvent('ERROR', selfDescribed(encodeCbor(status)));
  }

  /**
   * Decodes a request body to a JSON value.
   * @throws DecodeError
   */
  *decodeSteps(bytes: Uint8Array): Steps<JsonValue> {
    return (yield* this.#compiled().decodeSteps(bytes)) ?? {};
  }

  /** Decodes DeleteOptions. @throws DecodeError */
  decodeDeleteOptions(bytes: Uint8Array): JsonValue {
    return deleteOptions.decode(bytes) ?? {};
  }

  /** Encodes a list item: the object, without the self-described tag. */
  readonly #encodeItem = (result: ResultObject): Uint8Array =>
    this.#compiled().encode(this.#itemOf(uncachedObjectOf(result)));

  readonly #encodeItemSteps = (record: ObjectRecord): Steps<Uint8Array> =>
    itemSteps(this.#compiled(), record, this.#itemOf);

  /** Items of built-in kinds have no kind and version, those of users' kinds have. */
  readonly #itemOf = (object: ApiObject): object =>
    this.#definition.dialect === 'custom' ? object : withoutKind(object);

  #compiled(): CborCodec {
    this.#codec ??= this.#definition.dialect === 'built-in' ? compileCbor(this.#version.schema) : plainCbor;
    return this.#codec;
  }
}

function* itemSteps(
  codec: CborCodec,
  record: ObjectRecord,
  itemOf: (object: ApiObject) => object,
): Steps<Uint8Array> {
  return yield* codec.encodeSteps(itemOf(yield* decodedSteps(record)));
}

/** Encodes the head of an array. */
function arrayHead(length: number): Uint8Array {
  const head = encodeCbor(length);
  // integers have major type 0, arrays have major type 4
  head[0] = (head[0] as number) | 0x80;
  return head;
}
