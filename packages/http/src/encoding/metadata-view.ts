import { encodeUtf8 } from '@ashlar/codec';
import { metaGroup, type ResponseBody, type Steps } from '@ashlar/core';
import type { Answer, ListAnswer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { ServedResource } from '../catalog/served-resource.ts';
import { behindComma, jsonPieces, type ListHead, listMetadata, prettyPieces } from './list-body.ts';
import { mapAnswers } from './map-answers.ts';
import { glanceAt } from './object-encoding.ts';
import { encodeText, type Representation, type Transform } from './representation.ts';

/** The metadata of an object without the rest of it (semantics/tables#shapes). */
export function toPartialObjectMetadata(
  { vocabulary }: ServedResource,
  answer: Answer,
  { version }: Transform,
): object {
  const apiVersion = `${metaGroup(vocabulary)}/${version}`;
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: glanceAt(answer).metadata };
}

/** The metadata of the items of a list, as the body of an answer; each item names its kind. */
export function* encodeMetadataListSteps(
  served: ServedResource,
  list: ListAnswer,
  representation: Representation,
  transform: Transform,
): Steps<ResponseBody> {
  const head: ListHead = {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${metaGroup(served.vocabulary)}/${transform.version}`,
    metadata: listMetadata(list),
  };
  const { format, pretty } = representation;
  if (format === 'protobuf') return yield* served.protobuf.encodeMetadataListSteps(head, list.items);
  const make = (item: Answer): object => toPartialObjectMetadata(served, item, transform);
  if (format === 'json' && pretty) return yield* prettyPieces(head, 'items', list.items, make);
  if (format === 'json') return jsonPieces(head, 'items', yield* metadataItems(served, list, transform));
  const items = yield* mapAnswers(list.items, make);
  return encodeText({ ...head, items } as never, representation);
}

function* metadataItems(
  served: ServedResource,
  { items }: ListAnswer,
  transform: Transform,
): Steps<readonly Uint8Array[]> {
  const kept = served.metadataItems(transform.version);
  const start = metadataStart(served, transform);
  const make = (record: ObjectRecord): Uint8Array => metadataItem(start, record);
  return yield* mapAnswers(items, (answer) =>
    answer instanceof ObjectRecord
      ? kept.of(answer, make)
      : behindComma(toPartialObjectMetadata(served, answer, transform)),
  );
}

/** What stands before the metadata of an item, the comma behind the item before it included. */
export function metadataStart({ vocabulary }: ServedResource, { version }: Transform): Uint8Array {
  const apiVersion = JSON.stringify(`${metaGroup(vocabulary)}/${version}`);
  return encodeUtf8(`,{"kind":"PartialObjectMetadata","apiVersion":${apiVersion},"metadata":`);
}

/** The metadata of a record in JSON, cut from its stored bytes. */
export function metadataItem(start: Uint8Array, { metadataJson }: ObjectRecord): Uint8Array {
  const item = new Uint8Array(start.length + metadataJson.length + 1);
  item.set(start);
  item.set(metadataJson, start.length);
  item[item.length - 1] = CLOSE_BRACE;
  return item;
}

const CLOSE_BRACE = 0x7d;
