import type { Schema } from '@ashlar/core';
import { objectMetaSchema } from '@ashlar/schema';

const { properties } = objectMetaSchema;
const ownerReferences: Schema = properties?.ownerReferences ?? {};

/**
 * Metadata as ownership sees it (semantics F7): finalizers are a set, owners a list map by `uid` whose items are owned as a whole.
 */
export const objectMetaFields: Schema = {
  ...objectMetaSchema,
  properties: {
    ...properties,
    finalizers: { ...properties?.finalizers, listType: 'set' },
    ownerReferences: {
      ...ownerReferences,
      listType: 'map',
      listMapKeys: ['uid'],
      items: { ...ownerReferences.items, mapType: 'atomic' },
    },
  },
};
