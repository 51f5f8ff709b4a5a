import { decodeUtf8, encodeJson, encodeJsonSteps, encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import type { ApiObject, JsonValue, ResponseBody, SizedPieces, Steps } from '@ashlar/core';
import type { ObjectList, ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { concatenated } from './concatenated.ts';
import type { EncodedResource } from './encoded-resource.ts';
import { type ListHead, listMetadata, sortedHead } from './list-head.ts';
import { COSTLY_STRIDE, mapInStrides } from './map-in-strides.ts';
import { encodeText, encodeTextSteps, type Representation } from './representation.ts';
import { decodedSteps, uncachedObjectOf, withoutKind } from './result-object.ts';

/**
 * Encodes a list as a response body. In every format it is a head, items that are encoded one by one, and a tail: each item is
 * encoded once per record, cached within the budget, and shared by every list (ADR 8). Nothing is copied before the host gathers it.
 */
export function* encodeListSteps(
  served: EncodedResource,
  list: ObjectList,
  representation: Representation,
): Steps<ResponseBody> {
  const { format, pretty } = representation;
  const head = listHead(served, list);
  if (format === 'protobuf') return yield* served.protobuf.encodeListSteps(head, list);
  if (format === 'cbor') return yield* served.cbor.encodeListSteps(head, list);
  if (format === 'yaml') return yield* yamlList(served, head, list, representation);
  const { before, after } = itemsHaveKind(served) ? sortedHead(head) : { before: head, after: NOTHING };
  if (pretty) {
    const make = (item: ResultObject): object => itemObject(served, item);
    return yield* prettyPieces(before, 'items', list.items, make, after);
  }
  return yield* jsonList(served, before, list, after);
}

/** Returns the head of a list. */
export function listHead(served: EncodedResource, list: ObjectList): ListHead {
  return {
    kind: served.definition.names.listKind,
    apiVersion: served.apiVersion,
    metadata: listMetadata(list),
  };
}

/** Whether items have kind and version; those of typed lists do not (semantics/list-and-watch#list). */
const itemsHaveKind = ({ definition }: EncodedResource): boolean => definition.dialect === 'custom';

const itemOf = (served: EncodedResource, object: ApiObject): object =>
  itemsHaveKind(served) ? object : withoutKind(object);

const itemObject = (served: EncodedResource, result: ResultObject): object =>
  itemOf(served, uncachedObjectOf(result));

/** No members after the items. */
const NOTHING: object = {};

const LIST_END: Uint8Array = encodeUtf8(']}\n');

/** @param after members that follow the items */
function listEnd(after: object): Uint8Array {
  if (after === NOTHING) return LIST_END;
  return encodeUtf8(`],${JSON.stringify(after).slice(1)}\n`);
}

function listStart(head: object, member: string): Uint8Array {
  return encodeUtf8(`${JSON.stringify(head).slice(0, -1)},"${member}":[`);
}

/**
 * Returns a JSON object, in pieces, with a member that is a list of encoded items.
 * @param items each after a comma
 * @param after members that follow the items
 */
export function jsonPieces(
  head: object,
  member: string,
  items: readonly Uint8Array[],
  after: object = NOTHING,
): readonly Uint8Array[] {
  const pieces = [listStart(head, member)];
  for (const item of items) pieces.push(pieces.length > 1 ? item : item.subarray(1));
  pieces.push(listEnd(after));
  return pieces;
}

/**
 * Encodes an object in indented JSON, in pieces, with a member that is a list; its items are indented by two levels.
 * @param head not empty
 * @param make returns the item for a response
 * @param after members that follow the items
 */
export function* prettyPieces(
  head: object,
  member: string,
  results: readonly ResultObject[],
  make: (result: ResultObject) => object,
  after: object = NOTHING,
): Steps<readonly Uint8Array[]> {
  const empty = encodeJsonText({ ...head, [member]: [] }, PRETTY);
  if (results.length === 0) return [encodeUtf8(encodeJsonText({ ...head, [member]: [], ...after }, PRETTY))];
  const encode = (result: ResultObject): Uint8Array => indented(encodeJsonText(make(result), PRETTY));
  const encodeSteps = function* (record: ObjectRecord): Steps<Uint8Array> {
    return yield* indentedSteps(yield* encodeJsonSteps(make(yield* decodedSteps(record)), PRETTY));
  };
  const pieces = yield* mapInStrides(results, encode, COSTLY_STRIDE, encodeSteps);
  pieces[0] = (pieces[0] as Uint8Array).subarray(1);
  pieces.unshift(encodeUtf8(empty.slice(0, -PRETTY_END.length)));
  pieces.push(encodeUtf8(prettyEnd(after)));
  return pieces;
}

/** Returns an item by two levels deeper, after a comma. */
const indented = (json: string): Uint8Array => encodeUtf8(ITEM_START + deeper(json));

const ITEM_START = ',\n    ';
const deeper = (lines: string): string => lines.replaceAll('\n', '\n    ');

/** Bytes that are indented between two pauses. */
const INDENTED_BYTES = 65_536;
const LINE_END = 0x0a;

/** As `indented`, with pauses. */
function* indentedSteps(json: Uint8Array): Steps<Uint8Array> {
  const parts = [encodeUtf8(ITEM_START)];
  for (let at = 0; at < json.length; ) {
    yield;
    const end = json.indexOf(LINE_END, at + INDENTED_BYTES) + 1 || json.length;
    parts.push(encodeUtf8(deeper(decodeUtf8(json.subarray(at, end)))));
    at = end;
  }
  return concatenated(parts);
}

/** The text after the last item. */
function prettyEnd(after: object): string {
  if (after === NOTHING) return PRETTY_LIST_END;
  return `\n  ],${encodeJsonText(after as JsonValue, PRETTY).slice(1)}`;
}

const PRETTY = { pretty: true } as const;
/** The text after the opening bracket if the list is empty, and after its last item if it is not. */
const PRETTY_END = ']\n}';
const PRETTY_LIST_END = '\n  ]\n}';

/** Encodes a list in JSON: items in cached pieces, unless there are more than a generation of the cache holds. */
function* jsonList(
  served: EncodedResource,
  head: object,
  list: ObjectList,
  after: object,
): Steps<ResponseBody> {
  const withKind = itemsHaveKind(served);
  if (!served.jsonItems.hasWhole(list) && storedBytes(list.items) > served.budget.generation)
    return yield* LongJsonList.steps(served, { head, after }, list.items);
  const encode = (result: ResultObject): Uint8Array =>
    ObjectRecord.is(result) ? result.listItem(withKind) : encodeAfterComma(itemObject(served, result));
  return jsonPieces(head, 'items', yield* served.jsonItems.encodeSteps(list, { encode }), after);
}

function storedBytes(results: readonly ResultObject[]): number {
  let bytes = 0;
  for (const result of results) if (ObjectRecord.is(result)) bytes += result.stored.length;
  return bytes;
}

/** Members of a list before and after its items. */
interface ListFrame {
  readonly head: object;
  readonly after: object;
}

/** A list in JSON that is too long to be cached: items are sliced from the stored bytes when they are written, not before. */
class LongJsonList implements SizedPieces {
  readonly size: number;
  readonly #start: Uint8Array;
  /** Records, and encoded items of other objects. */
  readonly #parts: readonly (ObjectRecord | Uint8Array)[];
  readonly #withKind: boolean;
  readonly #end: Uint8Array;

  /** Measures records and encodes other objects. */
  static *steps(
    served: EncodedResource,
    frame: ListFrame,
    results: readonly ResultObject[],
  ): Steps<LongJsonList> {
    const withKind = itemsHaveKind(served);
    const parts = results.every(isRecord)
      ? results
      : yield* mapInStrides(results, (result) => partOf(served, result));
    const measured = { size: 0, count: 0 };
    for (;;) {
      measure(parts, withKind, measured);
      if (measured.count === parts.length)
        return new LongJsonList(withKind, frame, { parts, size: measured.size });
      yield;
    }
  }

  private constructor(
    withKind: boolean,
    { head, after }: ListFrame,
    { parts, size }: { readonly parts: readonly (ObjectRecord | Uint8Array)[]; readonly size: number },
  ) {
    this.#withKind = withKind;
    this.#start = listStart(head, 'items');
    this.#end = listEnd(after);
    this.#parts = parts;
    this.size = this.#start.length + size + this.#end.length - (parts.length > 0 ? 1 : 0);
  }

  *[Symbol.iterator](): Iterator<Uint8Array> {
    yield this.#start;
    let isFirst = true;
    for (const part of this.#parts) {
      const item = ObjectRecord.is(part) ? part.listItem(this.#withKind) : part;
      yield isFirst ? item.subarray(1) : item;
      isFirst = false;
    }
    yield this.#end;
  }
}

const isRecord = (result: ResultObject): result is ObjectRecord => ObjectRecord.is(result);

const partOf = (served: EncodedResource, result: ResultObject): ObjectRecord | Uint8Array =>
  ObjectRecord.is(result) ? result : encodeAfterComma(itemObject(served, result));

/** Bytes of a list that are measured between two pauses: as many as a page of 500 small ones has. */
const MEASURED_BYTES = 655_360;

/** Measures some more of the parts of a list. */
function measure(
  parts: readonly (ObjectRecord | Uint8Array)[],
  withKind: boolean,
  measured: { size: number; count: number },
): void {
  let { size, count } = measured;
  const enough = size + MEASURED_BYTES;
  for (; count < parts.length && size < enough; count++) {
    const part = parts[count] as ObjectRecord | Uint8Array;
    size += ObjectRecord.is(part) ? part.listItemLength(withKind) : part.length;
  }
  measured.size = size;
  measured.count = count;
}

/** Encodes a JSON list item with the comma before it. */
export function encodeAfterComma(value: object): Uint8Array {
  const json = encodeJson(value as JsonValue);
  const item = new Uint8Array(json.length + 1);
  item[0] = 0x2c;
  item.set(json, 1);
  return item;
}

/** Keys of YAML are sorted: `apiVersion` comes before the items, `kind` and `metadata` after them. */
function* yamlList(
  served: EncodedResource,
  { apiVersion, kind, metadata }: ListHead,
  list: ObjectList,
  representation: Representation,
): Steps<readonly Uint8Array[]> {
  const start = encodeText({ apiVersion }, representation);
  const end = encodeText({ kind, metadata } as unknown as JsonValue, representation);
  if (list.items.length === 0) return [start, encodeUtf8('items: []\n'), end];
  const listOf = (item: object): JsonValue => ({ items: [item] }) as unknown as JsonValue;
  const encode = (result: ResultObject): Uint8Array =>
    encodeText(listOf(itemObject(served, result)), representation).slice(YAML_ITEMS.length);
  const encodeSteps = function* (record: ObjectRecord): Steps<Uint8Array> {
    const item = itemOf(served, yield* decodedSteps(record));
    return (yield* encodeTextSteps(listOf(item), representation)).slice(YAML_ITEMS.length);
  };
  const items = yield* served.yamlItems.encodeSteps(list, { encode, encodeSteps, stride: COSTLY_STRIDE });
  items.unshift(start, YAML_ITEMS);
  items.push(end);
  return items;
}

const YAML_ITEMS: Uint8Array = encodeUtf8('items:\n');
