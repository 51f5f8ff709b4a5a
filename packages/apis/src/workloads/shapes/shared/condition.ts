import type { Schema } from '@ashlar/core';
import { int64, printed, string, time, type } from '../../../types/schema-fields.ts';
import { textOf } from '../../shape-fields.ts';

// The condition of newer kinds.

/** Schema of `Condition`. */
export const condition: Schema = type(
  'apimachinery.pkg.apis.meta.v1.Condition',
  {
    type: printed(string(1)),
    status: printed(textOf(2, 'apimachinery.pkg.apis.meta.v1.ConditionStatus')),
    observedGeneration: int64(3),
    lastTransitionTime: time(4),
    reason: printed(string(5)),
    message: printed(string(6)),
  },
  { required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'] },
);
