import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, printed, type } from '../../../types/schema-fields.ts';
import { listOf, part, quantities, textOf } from '../../shape-fields.ts';

// Limits of objects in a namespace.

const limitRangeItem = type(
  'api.core.v1.LimitRangeItem',
  {
    type: printed(textOf(1, 'api.core.v1.LimitType')),
    max: quantities(2),
    min: quantities(3),
    default: quantities(4),
    defaultRequest: quantities(5),
    maxLimitRequestRatio: quantities(6),
  },
  { required: ['type'] },
);

const limitRangeSpec = type(
  'api.core.v1.LimitRangeSpec',
  {
    limits: printed(listOf(1, limitRangeItem, atomic)),
  },
  { required: ['limits'] },
);

/** Schema of `LimitRange`. */
export const limitRangeSchema: Schema = kindSchema(
  'api.core.v1.LimitRange',
  'Bounds and defaults for what is made in a namespace.',
  {
    spec: part(2, limitRangeSpec),
  },
);
