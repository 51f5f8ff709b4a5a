import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { optional, printed, string, type } from '../../../types/schema-fields.ts';
import { part, withDefault } from '../../shape-fields.ts';

// Classes of ingresses.

const ingressClassParametersReference = type(
  'api.networking.v1.IngressClassParametersReference',
  {
    apiGroup: optional(string(1)),
    kind: printed(string(2)),
    name: printed(string(3)),
    scope: withDefault(printed(optional(string(4))), 'Cluster'),
    namespace: optional(string(5)),
  },
  { required: ['kind', 'name'] },
);

const ingressClassSpec = type('api.networking.v1.IngressClassSpec', {
  controller: string(1),
  parameters: optional(part(2, ingressClassParametersReference)),
});

/** Schema of `IngressClass`. */
export const ingressClassSchema: Schema = kindSchema(
  'api.networking.v1.IngressClass',
  'Which controller serves an ingress.',
  {
    spec: part(2, ingressClassSpec),
  },
);
