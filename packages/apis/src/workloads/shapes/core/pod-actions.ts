import { deleteOptionsSchema, type Schema } from '@ashlar/core';
import { objectReference } from '../../../core/object-reference.ts';
import { kindSchema } from '../../../types/kind-schema.ts';
import { optional } from '../../../types/schema-fields.ts';
import { part } from '../../shape-fields.ts';

// Actions on pods, which are not stored.

/** Schema of `Binding`. */
export const bindingSchema: Schema = kindSchema(
  'api.core.v1.Binding',
  'Puts a pod on a node.',
  {
    target: part(2, objectReference),
  },
  { required: ['target'] },
);

/** Schema of `Eviction`. */
export const evictionSchema: Schema = kindSchema(
  'api.policy.v1.Eviction',
  'Asks a pod to leave, as far as its budget permits.',
  {
    deleteOptions: optional(part(2, deleteOptionsSchema)),
  },
);
