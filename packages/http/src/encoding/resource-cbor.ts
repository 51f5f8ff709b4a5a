import {
  type CborCodec,
  compileCbor,
  encodeCbor,
  frameCborEvent,
  plainCbor,
  selfDescribed,
} from '@ashlar/codec';
import { deleteOptionsSchema, type JsonValue, type Steps, type WatchEventType } from '@ashlar/core';
import type { Answer, ListAnswer, ResourceDefinition, ResourceVersion } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { EncodingBudget } from './encoding-budget.ts';
import { KeptEncodings } from './kept-encodings.ts';
import { mapAnswers } from './map-answers.ts';
import { glanceAt, withoutKind } from './object-encoding.ts';

const deleteOptions = compileCbor(deleteOptionsSchema);

/** Most entries of a map or list whose number stands in its first byte. */
const SHORT = 24;

/** The CBOR form of one resource type (semantics/encodings#cbor). What is compiled is compiled when it is first needed. */
export class ResourceCbor {
  readonly #definition: ResourceDefinition;
  readonly #version: ResourceVersion;
  readonly #objects: KeptEncodings;
  readonly #items: KeptEncodings;
  #codec: CborCodec | undefined;

  constructor(definition: ResourceDefinition, version: ResourceVersion, budget: EncodingBudget) {
    this.#objects = new KeptEncodings(budget);
    this.#items = new KeptEncodings(budget);
    this.#definition = definition;
    this.#version = version;
  }

  /** An object behind the tag; of records made once and shared. */
  encode(answer: Answer): Uint8Array {
    const make = (): Uint8Array => selfDescribed(this.#compiled().encode(glanceAt(answer)));
    return answer instanceof ObjectRecord ? this.#objects.of(answer, make) : make();
  }

  /** A list behind the tag: a head, and what is encoded already. */
  *encodeListSteps(head: object, { items }: ListAnswer): Steps<readonly Uint8Array[]> {
    const members = Object.keys(head).length + 1;
    if (members >= SHORT) throw new TypeError('the head of a list has few members');
    // the map of the head gets one member more: the items, whose key and number follow it
    const start = encodeCbor(head);
    start[0] = 0xa0 | members;
    const pieces = yield* mapAnswers(items, (item) => this.#item(item));
    pieces.unshift(selfDescribed(start), encodeCbor('items'), arrayHead(items.length));
    return pieces;
  }

  /** One event of a watch; the object in it has a tag of its own. Made once per record and type, however many watch. */
  frame(type: WatchEventType, answer: Answer, view: ((answer: Answer) => object) | undefined): Uint8Array {
    if (view) return frameCborEvent(type, selfDescribed(encodeCbor(view(answer))));
    const make = (): Uint8Array => frameCborEvent(type, this.encode(answer));
    return answer instanceof ObjectRecord ? answer.memoInTurn(`cbor/${type}`, make) : make();
  }

  /** The failure of a watch. */
  errorFrame(status: object): Uint8Array {
    return frameCborEvent('ERROR', selfDescribed(encodeCbor(status)));
  }

  /**
   * A body as the JSON value that it stands for.
   * @throws DecodeError
   */
  *decodeSteps(bytes: Uint8Array): Steps<JsonValue> {
    return (yield* this.#compiled().decodeSteps(bytes)) ?? {};
  }

  /** The options of a deletion. @throws DecodeError */
  decodeDeleteOptions(bytes: Uint8Array): JsonValue {
    return deleteOptions.decode(bytes) ?? {};
  }

  /** An item of a list; those of built-in kinds do not say what they are. */
  #item(answer: Answer): Uint8Array {
    if (this.#definition.dialect === 'custom') return this.encode(answer).subarray(3);
    const make = (): Uint8Array => this.#compiled().encode(withoutKind(glanceAt(answer)));
    return answer instanceof ObjectRecord ? this.#items.of(answer, make) : make();
  }

  #compiled(): CborCodec {
    this.#codec ??= this.#definition.dialect === 'built-in' ? compileCbor(this.#version.schema) : plainCbor;
    return this.#codec;
  }
}

/** The head of a list of so many items. */
function arrayHead(length: number): Uint8Array {
  const head = encodeCbor(length);
  // numbers are of the major type before all others, lists of the fifth
  head[0] = (head[0] as number) | 0x80;
  return head;
}
