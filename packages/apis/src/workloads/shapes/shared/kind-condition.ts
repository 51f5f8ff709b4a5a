import type { Schema } from '@ashlar/core';
import { printed, string, time, type } from '../../../types/schema-fields.ts';
import { textOf } from '../../shape-fields.ts';

/** The condition type of one kind, with the fields that most of them have. @param name of the type */
export const kindCondition = (name: string): Schema =>
  type(
    name,
    {
      type: printed(textOf(1, `${name}Type`)),
      status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
      lastTransitionTime: time(3),
      reason: string(4),
      message: string(5),
    },
    { required: ['type', 'status'] },
  );
