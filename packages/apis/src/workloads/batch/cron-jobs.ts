import {
  type ApiObject,
  ageText,
  type FieldError,
  FieldErrors,
  requiredChoiceErrors,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { booleanColumn, containerColumns, integerColumn, orElse, selectorColumn } from '../cells.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import { invalidWhen, NO_ERRORS, nonNegative } from '../field-rules.ts';
import { hostnameWarnings } from '../pods/pod-warnings.ts';
import { cronJobSchema } from '../shapes/batch/cron-job.ts';
import { CONCURRENCY_POLICIES } from '../shapes/shared/enumerations.ts';
import { specOf, workloadType } from '../workload-type.ts';
import { scheduleErrorSteps } from './cron-schedule.ts';
import type { JobSpec } from './job-types.ts';
import { jobSpecErrors } from './job-validation.ts';
import { jobWarnings } from './job-warnings.ts';
import { timeZoneError } from './time-zone.ts';

const LONGEST_NAME = 52;

interface CronJobSpec {
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number;
  readonly concurrencyPolicy?: string;
  readonly suspend?: boolean;
  readonly jobTemplate?: { readonly spec?: JobSpec };
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
}

/** Jobs on a schedule. */
interface CronJob extends ApiObject {
  readonly spec?: CronJobSpec;
  readonly status?: { readonly active?: readonly object[]; readonly lastScheduleTime?: string };
}

/** Cron jobs. */
export function cronJobs(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'batch',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: cronJobSchema,
    rules: podPartRules(vocabulary),
    columns: [
      nameColumn,
      column('Schedule', 'When its jobs begin.', ({ spec }: CronJob) => spec?.schedule ?? ''),
      column('Timezone', 'Where the clock stands.', ({ spec }: CronJob) => orElse(spec?.timeZone, '<none>')),
      booleanColumn('Suspend', 'Whether none are to begin.', suspendText),
      integerColumn('Active', 'How many are running.', ({ status }: CronJob) => status?.active?.length),
      column('Last Schedule', 'Time since the last began.', ({ status }: CronJob, now) =>
        status?.lastScheduleTime ? ageText(status.lastScheduleTime, now) : '<none>',
      ),
      ageColumn,
      ...containerColumns(({ spec }: CronJob) => spec?.jobTemplate?.spec?.template?.spec?.containers ?? []),
      selectorColumn(({ spec }: CronJob) => spec?.jobTemplate?.spec?.selector),
    ],
    status: { updateChecks: [] },
    podSpecAt: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
    counted: specOf,
    strategy: {
      updateChecks: ['metadata-change'],
      *validateSteps(object: CronJob) {
        return [...(yield* specErrorsSteps(object.spec ?? {}, undefined, vocabulary)), ...nameErrors(object)];
      },
      validateUpdateSteps: (object: CronJob, stored: CronJob) =>
        specErrorsSteps(object.spec ?? {}, stored.spec ?? {}, vocabulary),
      warnings: ({ metadata, spec = {} }: CronJob, stored) => [
        ...(stored ? [] : hostnameWarnings(metadata, 'Pod names and hostnames')),
        ...jobWarnings(spec.jobTemplate?.spec ?? {}, vocabulary, {
          path: 'spec.jobTemplate.spec',
          metadata,
          stored: stored?.metadata,
        }),
        ...(stored && spec.schedule?.includes('TZ') ? [zoneWarning(vocabulary)] : []),
      ],
    },
  });
}

const zoneWarning = ({ labelDomain }: Vocabulary): string =>
  `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://${labelDomain}/docs/concepts/workloads/controllers/cron-jobs/ for more details`;

const suspendText = ({ spec }: CronJob): string =>
  spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False';

/** Names of jobs are derived from it, with the time appended. */
function nameErrors({ metadata: { name = '' } }: CronJob): readonly FieldError[] {
  return name.length > LONGEST_NAME
    ? [FieldErrors.invalid('metadata.name', name, `must be no more than ${LONGEST_NAME} characters`)]
    : [];
}

function* specErrorsSteps(
  spec: CronJobSpec,
  was: CronJobSpec | undefined,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  return [
    ...(yield* scheduleErrorsSteps(spec, was?.schedule?.includes('TZ') ?? false)),
    ...nonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(was && was.timeZone === spec.timeZone ? NO_ERRORS : zoneErrors(spec.timeZone)),
    ...requiredChoiceErrors('spec.concurrencyPolicy', spec.concurrencyPolicy, CONCURRENCY_POLICIES),
    ...jobSpecErrors(spec.jobTemplate?.spec ?? {}, vocabulary, 'spec.jobTemplate.spec'),
    ...templateErrors(spec.jobTemplate?.spec ?? {}),
    ...nonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...nonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
  ];
}

function* scheduleErrorsSteps(
  { schedule, timeZone }: CronJobSpec,
  hadZone: boolean,
): Steps<readonly FieldError[]> {
  const path = 'spec.schedule';
  if (!schedule) return [FieldErrors.required(path)];
  const error = yield* scheduleErrorSteps(schedule);
  const both = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  const old = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  const named = schedule.includes('TZ');
  return [
    ...(error === undefined ? [] : [FieldErrors.invalid(path, schedule, error)]),
    ...(named && hadZone && timeZone !== undefined ? [FieldErrors.invalid(path, schedule, both)] : []),
    ...(named && !hadZone ? [FieldErrors.invalid(path, schedule, old)] : []),
  ];
}

function zoneErrors(timeZone: string | undefined): readonly FieldError[] {
  const path = 'spec.timeZone';
  if (timeZone === undefined) return [];
  if (timeZone === '')
    return [FieldErrors.invalid(path, timeZone, 'timeZone must be nil or non-empty string')];
  const why = timeZoneError(timeZone);
  return [
    ...invalidWhen(timeZone.toLowerCase() === 'local', path, timeZone, NOT_EXPLICIT),
    ...invalidWhen(why !== undefined, path, timeZone, why ?? ''),
  ];
}

const NOT_EXPLICIT = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';

/** A template of jobs has no selector: each job has its own. */
function templateErrors({ manualSelector, selector }: JobSpec): readonly FieldError[] {
  const path = 'spec.jobTemplate.spec';
  return [
    ...invalidWhen(selector !== undefined, `${path}.selector`, selector, '`selector` will be auto-generated'),
    ...(manualSelector
      ? [FieldErrors.notSupported(`${path}.manualSelector`, true, ['nil', 'false'])]
      : NO_ERRORS),
  ];
}
