import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { boolean, int32, optional, printed, string } from '../../../types/schema-fields.ts';
import { among, textOf, withDefault } from '../../shape-fields.ts';
import { PREEMPTION_POLICIES } from '../shared/enumerations.ts';

// Priorities of pods.

/** Schema of `PriorityClass`. */
export const priorityClassSchema: Schema = kindSchema(
  'api.scheduling.v1.PriorityClass',
  'A priority by name.',
  {
    value: printed(int32(2)),
    globalDefault: boolean(3),
    description: string(4),
    preemptionPolicy: among(
      withDefault(optional(textOf(5, 'api.core.v1.PreemptionPolicy')), 'PreemptLowerPriority'),
      PREEMPTION_POLICIES,
    ),
  },
  { required: ['value'] },
);
