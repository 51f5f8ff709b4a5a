import { type FieldError, FieldErrors, ParseError } from '@ashlar/core';
import { timeInMessage } from '../../types/time-in-message.ts';
import {
  contradictionWhen,
  each,
  invalidWhen,
  NO_ERRORS,
  nonNegative,
  requiredWhen,
} from '../field-rules.ts';
import { commonIndex, countIndexes } from './index-list.ts';
import type { Job, JobStatus } from './job-types.ts';

const PATH = 'status';

/** Errors of a new job status; most are only looked for where it changed. */
export function jobStatusErrors(job: Job, stored: Job): readonly FieldError[] {
  const status = job.status ?? {};
  const was = stored.status ?? {};
  const change = new StatusChange(job, status, was);
  return [
    ...COUNTS.flatMap((name) => nonNegative(`${PATH}.${name}`, status[name])),
    ...uncountedErrors(status),
    ...change.conditionErrors(),
    ...change.finishedErrors(),
    ...change.indexErrors(),
    ...change.readyErrors(),
    ...change.successErrors(),
    ...change.errorsOfChanges(),
  ];
}

const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

/** Pods that have ended and are not in the counts yet. */
function uncountedErrors({ uncountedTerminatedPods: pods }: JobStatus): readonly FieldError[] {
  const seen = new Set<string>();
  const errorsOf = (name: 'succeeded' | 'failed'): readonly FieldError[] =>
    each(`${PATH}.uncountedTerminatedPods.${name}`, pods?.[name], (uid, path) => {
      if (uid === '') return [FieldErrors.invalid(path, uid, 'must not be empty')];
      if (seen.has(uid)) return [FieldErrors.duplicate(path, uid)];
      seen.add(uid);
      return NO_ERRORS;
    });
  return [...errorsOf('succeeded'), ...errorsOf('failed')];
}

const holds = ({ conditions }: JobStatus, type: string): boolean =>
  (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

const isFinished = (status: JobStatus): boolean => holds(status, 'Complete') || holds(status, 'Failed');

/** An error of conditions that contradict each other, which names no value. */
const contradiction = (isThere: boolean, why: string): readonly FieldError[] =>
  contradictionWhen(isThere, `${PATH}.conditions`, why);

/** What of a status is new. */
class StatusChange {
  readonly #job: Job;
  readonly #status: JobStatus;
  readonly #was: JobStatus;

  constructor(job: Job, status: JobStatus, was: JobStatus) {
    this.#job = job;
    this.#status = status;
    this.#was = was;
  }

  #changed(...names: readonly (keyof JobStatus)[]): boolean {
    return names.some((name) => JSON.stringify(this.#status[name]) !== JSON.stringify(this.#was[name]));
  }

  #turned(...types: readonly string[]): boolean {
    return types.some((type) => holds(this.#status, type) !== holds(this.#was, type));
  }

  #has(type: string): boolean {
    return holds(this.#status, type);
  }

  get #finishedNow(): boolean {
    return isFinished(this.#status) !== isFinished(this.#was);
  }

  conditionErrors(): readonly FieldError[] {
    const { completionTime, startTime } = this.#status;
    const isComplete = this.#has('Complete');
    const at = `${PATH}.completionTime`;
    const isNew = this.#turned('Complete') || this.#changed('completionTime');
    const isEarly =
      startTime !== undefined &&
      completionTime !== undefined &&
      Date.parse(completionTime) < Date.parse(startTime);
    return [
      ...contradiction(
        this.#turned('Complete', 'Failed') && isComplete && this.#has('Failed'),
        'cannot set Complete=True and Failed=true conditions',
      ),
      ...contradiction(
        this.#turned('Complete', 'FailureTarget') && isComplete && this.#has('FailureTarget'),
        'cannot set Complete=True and FailureTarget=true conditions',
      ),
      ...invalidWhen(
        isNew && completionTime !== undefined && !isComplete,
        at,
        timeInMessage(completionTime),
        'cannot set completionTime when there is no Complete=True condition',
      ),
      ...requiredWhen(
        isNew && completionTime === undefined && isComplete,
        at,
        'completionTime is required for Complete jobs',
      ),
      ...invalidWhen(
        this.#changed('startTime', 'completionTime') && isEarly,
        at,
        timeInMessage(completionTime),
        'completionTime cannot be set before startTime',
      ),
      ...contradiction(
        (this.#turned('Failed') || this.#changed('failedIndexes')) &&
          this.#has('Failed') &&
          !this.#has('FailureTarget'),
        'cannot set Failed=True condition without the FailureTarget=true condition',
      ),
      ...contradiction(
        this.#turned('Complete', 'SuccessCriteriaMet') && isComplete && !this.#has('SuccessCriteriaMet'),
        'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      ),
    ];
  }

  /** A finished job has no pods left. */
  finishedErrors(): readonly FieldError[] {
    const { active = 0, startTime, uncountedTerminatedPods: pods } = this.#status;
    const { suspend, completions } = this.#job.spec ?? {};
    if (!isFinished(this.#status)) return NO_ERRORS;
    const isNothing = suspend === true && completions === 0;
    const isNew = this.#finishedNow;
    return [
      ...invalidWhen(
        (isNew || this.#changed('active')) && active > 0,
        `${PATH}.active`,
        active,
        'active>0 is invalid for finished job',
      ),
      ...requiredWhen(
        (isNew || this.#changed('startTime')) && !isNothing && startTime === undefined,
        `${PATH}.startTime`,
        'startTime is required for finished job',
      ),
      ...invalidWhen(
        (isNew || this.#changed('uncountedTerminatedPods')) &&
          (pods?.failed?.length ?? 0) + (pods?.succeeded?.length ?? 0) > 0,
        `${PATH}.uncountedTerminatedPods`,
        pods,
        'uncountedTerminatedPods needs to be empty for finished job',
      ),
    ];
  }

  indexErrors(): readonly FieldError[] {
    const { completedIndexes = '', failedIndexes } = this.#status;
    const { completions, backoffLimitPerIndex, completionMode } = this.#job.spec ?? {};
    const [completed, failed] = [this.#changed('completedIndexes'), this.#changed('failedIndexes')];
    const isPerIndex = backoffLimitPerIndex !== undefined;
    const hasFailed = failedIndexes !== undefined;
    const common =
      (completed || failed) && completions !== undefined && completedIndexes !== '' && failedIndexes
        ? commonIndex(completedIndexes, failedIndexes, completions)
        : undefined;
    return [
      ...(completed ? listErrors('completedIndexes', completedIndexes, completions) : NO_ERRORS),
      ...(failed && isPerIndex && hasFailed
        ? listErrors('failedIndexes', failedIndexes, completions)
        : NO_ERRORS),
      ...invalidWhen(
        completed && completedIndexes !== '' && completionMode !== 'Indexed',
        `${PATH}.completedIndexes`,
        completedIndexes,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      ),
      ...invalidWhen(
        failed && !isPerIndex && hasFailed,
        `${PATH}.failedIndexes`,
        failedIndexes,
        'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ),
      ...invalidWhen(
        common !== undefined,
        `${PATH}.failedIndexes`,
        failedIndexes,
        `failedIndexes and completedIndexes overlap at index: ${common}`,
      ),
    ];
  }

  readyErrors(): readonly FieldError[] {
    const { terminating = 0, ready, active = 0 } = this.#status;
    return [
      ...invalidWhen(
        (this.#finishedNow || this.#changed('terminating')) && terminating > 0 && isFinished(this.#status),
        `${PATH}.terminating`,
        terminating,
        'terminating>0 is invalid for finished job',
      ),
      ...invalidWhen(
        ready !== undefined && ready > active && this.#changed('ready', 'active'),
        `${PATH}.ready`,
        ready,
        'cannot set more ready pods than active',
      ),
    ];
  }

  successErrors(): readonly FieldError[] {
    const isMet = this.#has('SuccessCriteriaMet');
    return [
      ...contradiction(
        isMet && this.#has('Failed'),
        'cannot set SuccessCriteriaMet=True and Failed=true conditions',
      ),
      ...contradiction(
        isMet && this.#has('FailureTarget'),
        'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
      ),
      ...contradiction(
        this.#job.spec?.successPolicy !== undefined && !isMet && this.#has('Complete'),
        'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
      ),
    ];
  }

  /** What has happened stays so. */
  errorsOfChanges(): readonly FieldError[] {
    const [status, was] = [this.#status, this.#was];
    const { completionMode, completions, parallelism, suspend } = this.#job.spec ?? {};
    const isElastic = completionMode === 'Indexed' && completions === parallelism;
    const isResumed =
      holds(was, 'Suspended') &&
      (status.conditions ?? []).some(({ type, status: value }) => type === 'Suspended' && value === 'False');
    return [
      ...['Failed', 'Complete', 'FailureTarget'].flatMap((type) =>
        contradiction(
          holds(was, type) && !this.#has(type),
          `cannot disable the terminal ${type}=True condition`,
        ),
      ),
      ...invalidWhen(
        (status.failed ?? 0) < (was.failed ?? 0),
        `${PATH}.failed`,
        status.failed ?? 0,
        'cannot decrease the failed counter',
      ),
      ...invalidWhen(
        !isElastic && (status.succeeded ?? 0) < (was.succeeded ?? 0),
        `${PATH}.succeeded`,
        status.succeeded ?? 0,
        'cannot decrease the succeeded counter',
      ),
      ...invalidWhen(
        status.completionTime !== undefined &&
          was.completionTime !== undefined &&
          this.#changed('completionTime'),
        `${PATH}.completionTime`,
        timeInMessage(status.completionTime),
        'completionTime cannot be mutated',
      ),
      ...requiredWhen(
        this.#changed('startTime') && !isResumed && was.startTime !== undefined && suspend !== true,
        `${PATH}.startTime`,
        'startTime cannot be removed for unsuspended job',
      ),
      ...contradiction(
        holds(was, 'SuccessCriteriaMet') && !this.#has('SuccessCriteriaMet'),
        'cannot disable the SuccessCriteriaMet=True condition',
      ),
      ...contradiction(
        holds(was, 'Complete') && !holds(was, 'SuccessCriteriaMet') && this.#has('SuccessCriteriaMet'),
        'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
      ),
    ];
  }
}

function listErrors(
  name: 'completedIndexes' | 'failedIndexes',
  text: string,
  completions: number | undefined,
): readonly FieldError[] {
  if (completions === undefined) return NO_ERRORS;
  try {
    countIndexes(text, completions);
    return NO_ERRORS;
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    return [FieldErrors.invalid(`${PATH}.${name}`, text, `error parsing ${name}: ${error.message}`)];
  }
}
