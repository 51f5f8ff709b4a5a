import { metaGroup } from '@ashlar/core';
import type { Answer, ListAnswer } from '@ashlar/registry';
import { listMetadata, objectOf } from './object-encoding.ts';
import type { Transform } from './representation.ts';
import type { ServedResource } from './served-resource.ts';

/** The metadata of an object without the rest of it (semantics E2). */
export function toPartialObjectMetadata(
  served: ServedResource,
  answer: Answer,
  { version }: Transform,
): object {
  const apiVersion = `${metaGroup(served.vocabulary)}/${version}`;
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: objectOf(answer).metadata };
}

/** The same of a list; each item names its kind. */
export function toPartialObjectMetadataList(
  served: ServedResource,
  list: ListAnswer,
  transform: Transform,
): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${metaGroup(served.vocabulary)}/${transform.version}`,
    metadata: listMetadata(list),
    items: list.items.map((item) => toPartialObjectMetadata(served, item, transform)),
  };
}
