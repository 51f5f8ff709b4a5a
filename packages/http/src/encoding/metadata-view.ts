import { decodeJson, encodeJson, encodeUtf8 } from '@ashlar/codec';
import { type JsonValue, metaGroup, type ObjectMeta, type ResponseBody, type Steps } from '@ashlar/core';
import type { ObjectList, ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { EncodedResource } from './encoded-resource.ts';
import { encodeAfterComma, jsonPieces, prettyPieces } from './list-body.ts';
import { type ListHead, listMetadata } from './list-head.ts';
import { mapInStrides } from './map-in-strides.ts';
import { metadataAlone } from './metadata-alone.ts';
import { encodeTextSteps, type Representation, type Transform } from './representation.ts';
import { uncachedObjectOf } from './result-object.ts';

/** Returns the metadata of an object without the rest of it (semantics/tables#shapes). */
export function toPartialObjectMetadata(
  served: EncodedResource,
  result: ResultObject,
  { version }: Transform,
): object {
  const apiVersion = `${metaGroup(served.vocabulary)}/${version}`;
  const metadata = metadataAlone(served, uncachedObjectOf(result).metadata);
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
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
  return yield* encodeTextSteps({ ...head, items } as never, representation);
}

function* metadataItems(
  served: EncodedResource,
  list: ObjectList,
  transform: Transform,
): Steps<readonly Uint8Array[]> {
  const cache = served.metadataItems(transform.version);
  const start = metadataStart(served, transform);
  const encode = (result: ResultObject): Uint8Array =>
    ObjectRecord.is(result)
      ? metadataItem(served, start, result)
      : encodeAfterComma(toPartialObjectMetadata(served, result, transform));
  return yield* cache.encodeSteps(list, { encode });
}

/** Returns the JSON before the metadata of a list item, starting with the comma after the previous item. */
export function metadataStart({ vocabulary }: EncodedResource, { version }: Transform): Uint8Array {
  const apiVersion = JSON.stringify(`${metaGroup(vocabulary)}/${version}`);
  return encodeUtf8(`,{"kind":"PartialObjectMetadata","apiVersion":${apiVersion},"metadata":`);
}

/** Returns a list item with the metadata of a record in JSON, sliced from its stored bytes where these are what is shown. */
export function metadataItem(served: EncodedResource, start: Uint8Array, record: ObjectRecord): Uint8Array {
  const metadataJson = isSliced(served) ? record.metadataJson : decodedMetadata(served, record);
  const item = new Uint8Array(start.length + metadataJson.length + 1);
  item.set(start);
  item.set(metadataJson, start.length);
  item[item.length - 1] = CLOSE_BRACE;
  return item;
}

const CLOSE_BRACE = 0x7d;

const isSliced = ({ definition, version }: EncodedResource): boolean =>
  definition.dialect !== 'custom' && !version.fieldAnnotations;

function decodedMetadata(served: EncodedResource, { metadataJson }: ObjectRecord): Uint8Array {
  const metadata = decodeJson(metadataJson, UNLIMITED).value as unknown as ObjectMeta;
  return encodeJson(metadataAlone(served, metadata) as JsonValue);
}

/** Stored bytes were checked before they were written. */
const UNLIMITED = { maximumValues: Number.POSITIVE_INFINITY } as const;
