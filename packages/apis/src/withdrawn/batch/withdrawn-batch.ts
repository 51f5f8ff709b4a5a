import type { Vocabulary } from '@ashlar/core';
import { cronJobs } from '../../workloads/batch/cron-jobs.ts';
import { cronJobSchema } from '../../workloads/shapes/batch/cron-job.ts';
import { revisedSchema } from '../revised-schema.ts';
import { type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

/** Cron jobs before v1. */
export function withdrawnBatch(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  return ['v1beta1', 'v2alpha1'].map((version) => {
    const schema = revisedSchema(cronJobSchema, {}, ['api.batch.v1.CronJob', `api.batch.${version}.CronJob`]);
    return withdrawnVersion(cronJobs(vocabulary), { version }, { schema });
  });
}
