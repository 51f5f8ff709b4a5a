import type { Vocabulary } from '@ashlar/core';
import { cronJobs } from '../../workloads/batch/cron-jobs.ts';
import { cronJobSchema } from '../../workloads/shapes/batch/cron-job.ts';
import { revisedSchema } from '../revised-schema.ts';
import { type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

/** Cron jobs before v1. */
export function withdrawnBatch(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const schema = revisedSchema(cronJobSchema, {}, ['api.batch.v1.CronJob', 'api.batch.v1beta1.CronJob']);
  return [withdrawnVersion(cronJobs(vocabulary), { version: 'v1beta1' }, { schema })];
}
