import { encodeJson, encodeUtf8 } from '@ashlar/codec';
import type { JsonValue, ResponseBody, SizedPieces } from '@ashlar/core';
import type { Answer, ListAnswer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { KeptEncodings } from './kept-encodings.ts';
import { glanceAt, withoutKind } from './object-encoding.ts';
import { encodeText, type Representation } from './representation.ts';
import type { ServedResource } from './served-resource.ts';

/**
 * A list as the body of an answer. In every form it is a head, items that were encoded one by one, and a tail: what an item is in a form
 * is made once per record, kept as far as the budget goes, and shared by every list (ADR 8). Nothing is copied before the host gathers it.
 */
export function encodeList(
  served: ServedResource,
  list: ListAnswer,
  representation: Representation,
): ResponseBody {
  const { format, pretty } = representation;
  const head = listHead(served, list);
  if (format === 'protobuf') return served.protobuf.encodeList(head, list.items);
  if (format === 'cbor') return served.cbor.encodeList(head, list);
  if (format === 'yaml') return yamlList(served, head, list.items, representation);
  if (!pretty) return new JsonList(served, head, list.items);
  const items = list.items.map((item) => itemObject(served, item));
  return encodeText({ ...head, items } as unknown as JsonValue, representation);
}

/** Kind, version and metadata of a list; keys in the order in which they are printed. */
export interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
}

export function listHead(served: ServedResource, list: ListAnswer): ListHead {
  return {
    kind: served.definition.names.listKind,
    apiVersion: served.apiVersion,
    metadata: listMetadata(list),
  };
}

/** Metadata of a list. */
export function listMetadata({ resourceVersion, continue: next, remainingItemCount }: ListAnswer): object {
  return {
    resourceVersion,
    ...(next !== undefined && { continue: next }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

/** Items of typed lists do not say what they are (semantics D4). */
const isNamed = ({ definition }: ServedResource): boolean => definition.dialect === 'custom';

function itemObject(served: ServedResource, answer: Answer): object {
  const object = glanceAt(answer);
  return isNamed(served) ? object : withoutKind(object);
}

const LIST_END: Uint8Array = encodeUtf8(']}\n');

function listStart(head: object, member: string): Uint8Array {
  return encodeUtf8(`${JSON.stringify(head).slice(0, -1)},"${member}":[`);
}

/**
 * A JSON object whose last member is a list of what is encoded already.
 * @param items each behind a comma
 */
export function jsonPieces(
  head: object,
  member: string,
  items: readonly Uint8Array[],
): readonly Uint8Array[] {
  const pieces = [listStart(head, member)];
  for (const item of items) pieces.push(pieces.length > 1 ? item : item.subarray(1));
  pieces.push(LIST_END);
  return pieces;
}

/**
 * A list in JSON. Items that are not kept are cut from the stored bytes when they are written, not before, and of a list that is longer
 * than what is kept none are kept: cutting is cheap.
 */
class JsonList implements SizedPieces {
  readonly size: number;
  readonly #start: Uint8Array;
  /** Records, and other items encoded. */
  readonly #parts: readonly (ObjectRecord | Uint8Array)[];
  readonly #items: KeptEncodings;
  readonly #named: boolean;
  readonly #isKept: boolean;

  constructor(served: ServedResource, head: object, answers: readonly Answer[]) {
    this.#items = served.jsonItems;
    this.#named = isNamed(served);
    this.#start = listStart(head, 'items');
    this.#parts = answers.map((answer) =>
      answer instanceof ObjectRecord ? answer : behindComma(itemObject(served, answer)),
    );
    let size = this.#start.length + LIST_END.length - (answers.length > 0 ? 1 : 0);
    for (const part of this.#parts) size += this.#length(part);
    this.size = size;
    this.#isKept = size <= served.budget.generation;
  }

  *[Symbol.iterator](): Iterator<Uint8Array> {
    yield this.#start;
    let isFirst = true;
    for (const part of this.#parts) {
      const item = this.#item(part);
      yield isFirst ? item.subarray(1) : item;
      isFirst = false;
    }
    yield LIST_END;
  }

  #length(part: ObjectRecord | Uint8Array): number {
    return part instanceof ObjectRecord ? part.listItemLength(this.#named) : part.length;
  }

  #item(part: ObjectRecord | Uint8Array): Uint8Array {
    if (!(part instanceof ObjectRecord)) return part;
    return this.#isKept ? this.#items.of(part, this.#cut) : this.#cut(part);
  }

  readonly #cut = (record: ObjectRecord): Uint8Array => record.listItem(this.#named);
}

/** JSON as an item of a list that is not its first. */
export function behindComma(value: object): Uint8Array {
  const json = encodeJson(value as JsonValue);
  const item = new Uint8Array(json.length + 1);
  item[0] = 0x2c;
  item.set(json, 1);
  return item;
}

/** YAML has its keys in order: what a list is comes before its items, and after them. */
function yamlList(
  served: ServedResource,
  { apiVersion, kind, metadata }: ListHead,
  answers: readonly Answer[],
  representation: Representation,
): readonly Uint8Array[] {
  const start = encodeText({ apiVersion }, representation);
  const end = encodeText({ kind, metadata } as unknown as JsonValue, representation);
  if (answers.length === 0) return [start, encodeUtf8('items: []\n'), end];
  const make = (answer: Answer): Uint8Array => {
    const list = encodeText({ items: [itemObject(served, answer)] } as unknown as JsonValue, representation);
    return list.slice(YAML_ITEMS.length);
  };
  const item = (answer: Answer): Uint8Array =>
    answer instanceof ObjectRecord ? served.yamlItems.of(answer, make) : make(answer);
  return [start, YAML_ITEMS, ...answers.map(item), end];
}

const YAML_ITEMS: Uint8Array = encodeUtf8('items:\n');
