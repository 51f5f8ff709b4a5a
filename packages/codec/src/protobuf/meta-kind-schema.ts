import {
  deleteOptionsSchema,
  listMetaSchema,
  metaGroup,
  partialObjectMetadataSchema,
  type Schema,
  statusSchema,
  type Vocabulary,
} from '@ashlar/core';
import { listSchema } from './list-schema.ts';

const partialObjectMetadataListSchema: Schema = listSchema(partialObjectMetadataSchema);

/** Version v1beta1 of that list swaps its field numbers. */
const olderPartialList: Schema = {
  ...partialObjectMetadataListSchema,
  properties: {
    ...partialObjectMetadataListSchema.properties,
    metadata: { ...listMetaSchema, tag: 2 },
    items: { type: 'array', items: partialObjectMetadataSchema, tag: 1, alwaysPrinted: true },
  },
};

/** The schema of a kind that every endpoint may return or read; undefined for others. */
export function metaKindSchema(vocabulary: Vocabulary, apiVersion: string, kind: string): Schema | undefined {
  if (kind === 'DeleteOptions') return deleteOptionsSchema;
  if (apiVersion === 'v1') return kind === 'Status' ? statusSchema : undefined;
  const group = metaGroup(vocabulary);
  if (apiVersion !== `${group}/v1` && apiVersion !== `${group}/v1beta1`) return undefined;
  if (kind === 'PartialObjectMetadata') return partialObjectMetadataSchema;
  if (kind !== 'PartialObjectMetadataList') return undefined;
  return apiVersion.endsWith('/v1') ? partialObjectMetadataListSchema : olderPartialList;
}
