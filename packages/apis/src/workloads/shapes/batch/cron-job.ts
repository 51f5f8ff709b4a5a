import { objectMetaSchema, type Schema } from '@ashlar/core';
import { objectReference } from '../../../core/object-reference.ts';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  boolean,
  int32,
  int64,
  optional,
  printed,
  string,
  time,
  type,
} from '../../../types/schema-fields.ts';
import { among, listOf, part, textOf, withDefault } from '../../shape-fields.ts';
import { CONCURRENCY_POLICIES } from '../shared/enumerations.ts';
import { jobSpec } from './job.ts';

// Jobs on a schedule.

const jobTemplateSpec = type('api.batch.v1.JobTemplateSpec', {
  metadata: part(1, objectMetaSchema),
  spec: part(2, jobSpec),
});

const cronJobSpec = type(
  'api.batch.v1.CronJobSpec',
  {
    schedule: printed(string(1)),
    timeZone: optional(string(8)),
    startingDeadlineSeconds: optional(int64(2)),
    concurrencyPolicy: among(
      withDefault(textOf(3, 'api.batch.v1.ConcurrencyPolicy'), 'Allow'),
      CONCURRENCY_POLICIES,
    ),
    suspend: withDefault(optional(boolean(4)), false),
    jobTemplate: part(5, jobTemplateSpec),
    successfulJobsHistoryLimit: withDefault(optional(int32(6)), 3),
    failedJobsHistoryLimit: withDefault(optional(int32(7)), 1),
  },
  { required: ['schedule', 'jobTemplate'] },
);

const cronJobStatus = type('api.batch.v1.CronJobStatus', {
  active: listOf(1, objectReference, atomic),
  lastScheduleTime: optional(time(4)),
  lastSuccessfulTime: optional(time(5)),
});

/** Schema of `CronJob`. */
export const cronJobSchema: Schema = kindSchema('api.batch.v1.CronJob', 'Jobs by the clock.', {
  spec: part(2, cronJobSpec),
  status: part(3, cronJobStatus),
});
