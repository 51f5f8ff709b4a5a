import { encodeJson, encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import type { JsonValue, ResponseBody, SizedPieces, Steps } from '@ashlar/core';
import type { Answer, ListAnswer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { KeptEncodings } from './kept-encodings.ts';
import { COSTLY_STRIDE, inStrides, mapAnswers } from './map-answers.ts';
import { glanceAt, withoutKind } from './object-encoding.ts';
import { encodeText, type Representation } from './representation.ts';

/**
 * A list as the body of an answer. In every form it is a head, items that were encoded one by one, and a tail: what an item is in a form
 * is made once per record, kept as far as the budget goes, and shared by every list (ADR 8). Nothing is copied before the host gathers it.
 */
export function* encodeListSteps(
  served: ServedResource,
  list: ListAnswer,
  representation: Representation,
): Steps<ResponseBody> {
  const { format, pretty } = representation;
  const head = listHead(served, list);
  if (format === 'protobuf') return yield* served.protobuf.encodeListSteps(head, list.items);
  if (format === 'cbor') return yield* served.cbor.encodeListSteps(head, list);
  if (format === 'yaml') return yield* yamlList(served, head, list.items, representation);
  if (pretty) return yield* prettyPieces(head, 'items', list.items, (item) => itemObject(served, item));
  return yield* JsonList.steps(served, head, list.items);
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

/** Items of typed lists do not say what they are (semantics/list-and-watch#list). */
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
 * An object in indented JSON whose last member is a list, in pieces: what is made of each answer stands two levels deep.
 * @param head not empty
 */
export function* prettyPieces(
  head: object,
  member: string,
  answers: readonly Answer[],
  make: (answer: Answer) => object,
): Steps<readonly Uint8Array[]> {
  const empty = encodeJsonText({ ...head, [member]: [] }, PRETTY);
  if (answers.length === 0) return [encodeUtf8(empty)];
  const pieces = yield* mapAnswers<Uint8Array>(
    answers,
    (answer) => encodeUtf8(`,\n    ${encodeJsonText(make(answer), PRETTY).replaceAll('\n', '\n    ')}`),
    COSTLY_STRIDE,
  );
  pieces[0] = (pieces[0] as Uint8Array).subarray(1);
  pieces.unshift(encodeUtf8(empty.slice(0, -PRETTY_END.length)));
  pieces.push(encodeUtf8(PRETTY_LIST_END));
  return pieces;
}

const PRETTY = { pretty: true } as const;
/** What stands behind the opening bracket of a last member that is an empty list, and behind the last item of another. */
const PRETTY_END = ']\n}';
const PRETTY_LIST_END = '\n  ]\n}';

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

  /** Measures the items, and encodes those that are no records. */
  static *steps(served: ServedResource, head: object, answers: readonly Answer[]): Steps<JsonList> {
    const named = isNamed(served);
    const parts: (ObjectRecord | Uint8Array)[] = [];
    let size = 0;
    yield* inStrides(answers, (some) => {
      let bytes = 0;
      for (const answer of some) {
        const part = answer instanceof ObjectRecord ? answer : behindComma(itemObject(served, answer));
        parts.push(part);
        bytes += part instanceof ObjectRecord ? part.listItemLength(named) : part.length;
      }
      size += bytes;
    });
    return new JsonList(served, head, { parts, size });
  }

  private constructor(
    served: ServedResource,
    head: object,
    { parts, size }: { readonly parts: readonly (ObjectRecord | Uint8Array)[]; readonly size: number },
  ) {
    this.#items = served.jsonItems;
    this.#named = isNamed(served);
    this.#start = listStart(head, 'items');
    this.#parts = parts;
    this.size = this.#start.length + size + LIST_END.length - (parts.length > 0 ? 1 : 0);
    this.#isKept = this.size <= served.budget.generation;
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
function* yamlList(
  served: ServedResource,
  { apiVersion, kind, metadata }: ListHead,
  answers: readonly Answer[],
  representation: Representation,
): Steps<readonly Uint8Array[]> {
  const start = encodeText({ apiVersion }, representation);
  const end = encodeText({ kind, metadata } as unknown as JsonValue, representation);
  if (answers.length === 0) return [start, encodeUtf8('items: []\n'), end];
  const make = (answer: Answer): Uint8Array => {
    const list = encodeText({ items: [itemObject(served, answer)] } as unknown as JsonValue, representation);
    return list.slice(YAML_ITEMS.length);
  };
  const item = (answer: Answer): Uint8Array =>
    answer instanceof ObjectRecord ? served.yamlItems.of(answer, make) : make(answer);
  const items = yield* mapAnswers(answers, item, COSTLY_STRIDE);
  items.unshift(start, YAML_ITEMS);
  items.push(end);
  return items;
}

const YAML_ITEMS: Uint8Array = encodeUtf8('items:\n');
