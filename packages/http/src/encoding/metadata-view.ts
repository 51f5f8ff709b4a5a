import { encodeUtf8 } from '@ashlar/codec';
import { metaGroup, type ResponseBody, type Steps } from '@ashlar/core';
import type { ObjectList, ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { EncodedResource } from './encoded-resource.ts';
import { encodeAfterComma, jsonPieces, prettyPieces } from './list-body.ts';
import { type ListHead, listMetadata } from './list-head.ts';
import { mapInStrides } from './map-in-strides.ts';
import { encodeText, type Representation, type Transform } from './representation.ts';
import { uncachedObjectOf } from './result-object.ts';

/** Returns the metadata of an object without the rest of it (semantics/tables#shapes). */
export function toPartialObjectMetadata(
  { vocabulary }: EncodedResource,
  answer: ResultObject,
  { version }: Transform,
): object {
  const apiVersion = `${metaGroup(vocabulary)}/${version}`;
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: uncachedObjectOf(answer).metadata };
}

/** Encodes the metadata of the items of a list as a response body; each item has a kind. */
export function* encodeMetadataListSteps(
  served: EncodedResource,
  list: ObjectList,
  representation: Representation,
  transform: Transform,
): Steps<ResponseBody> {
  const head: ListHead = {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${metaGroup(served.vocabulary)}/${transform.version}`,
    metadata: listMetadata(list),
  };
  const { format, pretty } = representation;
  if (format === 'protobuf') return yield* served.protobuf.encodeMetadataListSteps(head, list);
  const make = (item: ResultObject): object => toPartialObjectMetadata(served, item, transform);
  if (format === 'json' && pretty) return yield* prettyPieces(head, 'items', list.items, make);
  if (format === 'json') return jsonPieces(head, 'items', yield* metadataItems(served, list, transform));
  const items = yield* mapInStrides(list.items, make);
  return encodeText({ ...head, items } as never, representation);
}

function* metadataItems(
  served: EncodedResource,
  list: ObjectList,
  transform: Transform,
): Steps<readonly Uint8Array[]> {
  const cache = served.metadataItems(transform.version);
  const start = metadataStart(served, transform);
  const encode = (answer: ResultObject): Uint8Array =>
    ObjectRecord.is(answer)
      ? metadataItem(start, answer)
      : encodeAfterComma(toPartialObjectMetadata(served, answer, transform));
  return yield* cache.encodeSteps(list, { encode });
}

/** Returns the JSON before the metadata of a list item, starting with the comma after the previous item. */
export function metadataStart({ vocabulary }: EncodedResource, { version }: Transform): Uint8Array {
  const apiVersion = JSON.stringify(`${metaGroup(vocabulary)}/${version}`);
  return encodeUtf8(`,{"kind":"PartialObjectMetadata","apiVersion":${apiVersion},"metadata":`);
}

/** Returns a list item with the metadata of a record in JSON, sliced from its stored bytes. */
export function metadataItem(start: Uint8Array, { metadataJson }: ObjectRecord): Uint8Array {
  const item = new Uint8Array(start.length + metadataJson.length + 1);
  item.set(start);
  item.set(metadataJson, start.length);
  item[item.length - 1] = CLOSE_BRACE;
  return item;
}

const CLOSE_BRACE = 0x7d;
