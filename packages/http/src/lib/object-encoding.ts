import { encodeJson, encodeUtf8 } from '@ashlar/codec';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { Answer, ListAnswer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { encodeText, type Representation } from './representation.ts';
import type { ServedResource } from './served-resource.ts';

const NEWLINE: Uint8Array = encodeUtf8('\n');
const COMMA = encodeUtf8(',');
const LIST_END = encodeUtf8(']}\n');

/** The object of an answer. */
export function objectOf(answer: Answer): ApiObject {
  return answer instanceof ObjectRecord ? answer.object : answer;
}

/** The JSON of an answer, without a line break; of records made once and shared. */
export function jsonOf(answer: Answer): Uint8Array {
  return answer instanceof ObjectRecord ? answer.json : encodeJson(answer as unknown as JsonValue);
}

/** One object as the body of an answer. */
export function encodeObject(
  served: ServedResource,
  answer: Answer,
  representation: Representation,
): readonly Uint8Array[] {
  if (representation.format === 'json' && !representation.pretty) return [jsonOf(answer), NEWLINE];
  if (representation.format === 'protobuf') return [served.protobuf.encode(objectOf(answer))];
  if (representation.format === 'cbor') return [served.cbor.encode(answer)];
  return [encodeText(objectOf(answer) as unknown as JsonValue, representation)];
}

/** A list as the body of an answer: a head, what is encoded already, a tail. */
export function encodeList(
  served: ServedResource,
  list: ListAnswer,
  representation: Representation,
): readonly Uint8Array[] {
  if (representation.format === 'json' && !representation.pretty) return listInPieces(served, list);
  if (representation.format === 'cbor') return served.cbor.encodeList(listHead(served, list), list);
  if (representation.format === 'protobuf')
    return [served.protobuf.encodeList(listHead(served, list), list.items)];
  const itemsKeepKind = served.definition.dialect === 'custom';
  const items = list.items.map((item) => (itemsKeepKind ? objectOf(item) : withoutKind(objectOf(item))));
  const whole = { ...listHead(served, list), items };
  return [encodeText(whole as unknown as JsonValue, representation)];
}

function listInPieces(served: ServedResource, list: ListAnswer): readonly Uint8Array[] {
  const item = served.definition.dialect === 'custom' ? jsonOf : jsonItemOf;
  return inPieces(listHead(served, list), 'items', list.items, item);
}

/** A JSON object whose last member is a list of what is encoded already, one by one. */
export function inPieces(
  head: object,
  member: string,
  answers: readonly Answer[],
  json: (answer: Answer) => Uint8Array,
): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [encodeUtf8(`${JSON.stringify(head).slice(0, -1)},"${member}":[`)];
  for (const answer of answers) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(json(answer));
  }
  pieces.push(LIST_END);
  return pieces;
}

function jsonItemOf(answer: Answer): Uint8Array {
  return answer instanceof ObjectRecord ? answer.jsonItem : encodeJson(withoutKind(answer) as JsonValue);
}

/** An object as an item of a list of its kind. */
export function withoutKind({ kind: _, apiVersion: __, ...rest }: ApiObject): object {
  return rest;
}

/** Kind, version and metadata of a list; keys in the order in which they are printed. */
export function listHead(
  served: ServedResource,
  list: ListAnswer,
): { kind: string; apiVersion: string; metadata: object } {
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
