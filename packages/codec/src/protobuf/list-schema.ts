import { listMetaSchema, type Schema, typeMetaProperties } from '@ashlar/core';

/** The list of objects of a schema; its field numbers are the same for all kinds (semantics/encodings#protobuf). */
export function listSchema(item: Schema): Schema {
  return {
    type: 'object',
    ...(item.typeName !== undefined && { typeName: `${item.typeName}List` }),
    required: ['items'],
    properties: {
      ...typeMetaProperties,
      metadata: { ...listMetaSchema, tag: 1 },
      items: { type: 'array', items: item, tag: 2, alwaysPrinted: true },
    },
  };
}
