import type { Schema } from '@ashlar/core';
import { printed, string, time, type } from '../../../types/schema-fields.ts';

/** The condition type of one kind, with the fields that most of them have. @param name of the type */
export const kindCondition = (name: string): Schema =>
  type(
    name,
    {
      type: printed(string(1)),
      status: printed(string(2)),
      lastTransitionTime: time(3),
      reason: string(4),
      message: string(5),
    },
    { required: ['type', 'status'] },
  );
