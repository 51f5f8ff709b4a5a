import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int32, printed, string, type } from '../../../types/schema-fields.ts';
import { part } from '../../shape-fields.ts';

// Numbers of replicas.

const scaleSpec = type('api.autoscaling.v1.ScaleSpec', {
  replicas: int32(1),
});

const scaleStatus = type(
  'api.autoscaling.v1.ScaleStatus',
  {
    replicas: printed(int32(1)),
    selector: string(2),
  },
  { required: ['replicas'] },
);

/** Schema of `Scale`. */
export const scaleSchema: Schema = kindSchema(
  'api.autoscaling.v1.Scale',
  'How many of something are wanted and there.',
  {
    spec: part(2, scaleSpec),
    status: part(3, scaleStatus),
  },
);
