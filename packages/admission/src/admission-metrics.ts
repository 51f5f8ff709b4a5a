import type { Clock, Counter, Distribution, Histogram, LabelValues, Metrics, Summary } from '@ashlar/core';
import type { AdmissionRequest } from './admission-request.ts';

/** In which half of the chain something is called. */
export type AdmissionStep = 'admit' | 'validate';

/** How a webhook's call ended. */
export type WebhookOutcome =
  | { readonly kind: 'allowed' }
  /** It denied the request, with the code of the response. */
  | { readonly kind: 'denied'; readonly code: number }
  /** It gave no response that can be used; `code` is that of its response, 400 if there was none, 503 for an invalid answer. */
  | {
      readonly kind: 'failed';
      readonly code: number;
      readonly isIgnored: boolean;
      readonly isCanceled: boolean;
    }
  /** What it answered cannot be done. */
  | { readonly kind: 'broken' };

/** Whose match conditions were evaluated. */
export interface ConditionsOwner {
  readonly kind: 'policy' | 'webhook';
  readonly name: string;
  readonly step: AdmissionStep;
}

/** What a policy's failure came to: `allow` for an error that is passed over. */
export type PolicyEnforcement = 'allow' | 'audit' | 'deny' | 'warn';

const STEP_BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const STEP_SHARES = [0.5, 0.9, 0.99];
const STEP_WINDOW = 5 * 60 * 60 * 1000;
const WEBHOOK_BOUNDS = [...STEP_BOUNDS, 10, 25];
const CONDITION_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
const POLICY_BOUNDS = [0.0000005, 0.001, 0.01, 0.1, 1];

/** Largest code that is counted by itself. */
const MAXIMUM_CODE = 600;

const OUTCOME = ['operation', 'rejected'];

/** The metrics of admission (semantics/discovery#metrics): of steps, plugins, webhooks, match conditions and policies. */
export class AdmissionMetrics {
  readonly #clock: Clock;
  readonly #steps: Histogram;
  readonly #stepSums: Summary;
  readonly #plugins: Histogram;
  readonly #webhooks: Histogram;
  readonly #calls: Counter;
  readonly #rejections: Counter;
  readonly #openFailures: Counter;
  readonly #conditionErrors: Counter;
  readonly #exclusions: Counter;
  readonly #conditions: Histogram;
  readonly #checks: Counter;
  readonly #checkTimes: Histogram;
  readonly #stepTimes: OutcomeTimes = new OutcomeTimes((labels) => {
    const [times, sums] = [this.#steps.of(labels), this.#stepSums.of(labels)];
    return {
      observe(seconds) {
        times.observe(seconds);
        sums.observe(seconds);
      },
    };
  });
  readonly #pluginTimes: Map<string, OutcomeTimes> = new Map();

  /** @throws TypeError if these metrics are already registered */
  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    const counter = (name: string, help: string, labels: readonly string[]) =>
      metrics.counter({ name: `apiserver_admission_${name}`, help, labels });
    const histogram = (name: string, help: string, labels: readonly string[], bounds: readonly number[]) =>
      metrics.histogram({ name: `apiserver_admission_${name}`, help, labels }, bounds);
    const step = { name: 'step_admission_duration_seconds', labels: ['type', ...OUTCOME] };
    this.#steps = histogram(step.name, 'Duration of a half of admission.', step.labels, STEP_BOUNDS);
    this.#stepSums = metrics.summary(
      {
        ...{ name: `apiserver_admission_${step.name}_summary`, labels: step.labels },
        help: 'Durations of the halves of admission: number, sum, and quantiles of the last hours.',
      },
      { shares: STEP_SHARES, windowMilliseconds: STEP_WINDOW, clock },
    );
    const named = ['name', 'type', ...OUTCOME];
    const plugin = 'Duration of an admission plugin for a request that it handles.';
    this.#plugins = histogram('controller_admission_duration_seconds', plugin, named, STEP_BOUNDS);
    const call = 'Duration of the call of a webhook.';
    this.#webhooks = histogram('webhook_admission_duration_seconds', call, named, WEBHOOK_BOUNDS);
    const calls = 'Number of calls of webhooks; codes above 600 count as 600.';
    const byCode = ['name', 'type', 'operation', 'code', 'rejected'];
    this.#calls = counter('webhook_request_total', calls, byCode);
    const rejected = ['name', 'type', 'operation', 'error_type', 'rejection_code'];
    const refused = 'Number of requests that webhooks rejected, by denying them or by failing.';
    this.#rejections = counter('webhook_rejection_count', refused, rejected);
    const open = 'Number of failures of webhooks that were passed over.';
    this.#openFailures = counter('webhook_fail_open_count', open, ['name', 'type']);
    const owner = ['name', 'kind', 'type', 'operation'];
    const errors = 'Number of match conditions that could not be evaluated.';
    this.#conditionErrors = counter('match_condition_evaluation_errors_total', errors, owner);
    const excluded = 'Number of requests that match conditions kept from webhooks.';
    this.#exclusions = counter('match_condition_exclusions_total', excluded, owner);
    const looked = 'Duration of the evaluation of match conditions.';
    this.#conditions = histogram('match_condition_evaluation_seconds', looked, owner, CONDITION_BOUNDS);
    const check = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
    const policy = 'apiserver_validating_admission_policy_check';
    this.#checks = metrics.counter({
      ...{ name: `${policy}_total`, labels: check },
      help: 'Number of validations of policies that did not hold, or failed.',
    });
    this.#checkTimes = metrics.histogram(
      {
        ...{ name: `${policy}_duration_seconds`, labels: check },
        help: 'Duration from the start of the evaluation of a policy to such a validation.',
      },
      POLICY_BOUNDS,
    );
  }

  /** Seconds of an arbitrary origin. */
  now(): number {
    return this.#clock.monotonic() / 1000;
  }

  /** A half of the chain has ended. */
  stepDone(step: AdmissionStep, operation: string, isRejected: boolean, start: number): void {
    this.#stepTimes.of(step, operation, isRejected).observe(this.now() - start);
  }

  /** A plugin has ended. */
  pluginDone(
    name: string,
    step: AdmissionStep,
    operation: string,
    isRejected: boolean,
    start: number,
  ): number {
    const end = this.now();
    let times = this.#pluginTimes.get(name);
    if (!times) {
      times = new OutcomeTimes((labels) => this.#plugins.of([name, ...labels]));
      this.#pluginTimes.set(name, times);
    }
    times.of(step, operation, isRejected).observe(end - start);
    return end;
  }

  /** A webhook was called. */
  webhookDone(
    name: string,
    step: AdmissionStep,
    { operation }: AdmissionRequest,
    outcome: WebhookOutcome,
    start: number,
  ): void {
    // the reference calls this half otherwise where it is about webhooks
    const type = step === 'admit' ? step : 'validating';
    const isOpen = outcome.kind === 'failed' && outcome.isIgnored;
    const rejected = String(outcome.kind !== 'allowed' && !isOpen);
    const code = codeOf(outcome);
    this.#webhooks.observe([name, type, operation, rejected], this.now() - start);
    this.#calls.add([name, type, operation, code, rejected]);
    const isCanceled = outcome.kind === 'failed' && outcome.isCanceled;
    if (outcome.kind === 'allowed' || isCanceled) return;
    if (isOpen) this.#openFailures.add([name, type]);
    else this.#rejections.add([name, type, operation, ERROR_TYPES[outcome.kind], code]);
  }

  /** Match conditions were evaluated. @param outcome the text of an error if there was one */
  conditionsDone(
    { kind, name, step }: ConditionsOwner,
    { operation }: AdmissionRequest,
    outcome: boolean | string,
    start: number,
  ): void {
    const labels = [name, kind, step, operation];
    this.#conditions.observe(labels, this.now() - start);
    if (typeof outcome === 'string') this.#conditionErrors.add(labels);
    if (outcome === false && kind === 'webhook') this.#exclusions.add(labels);
  }

  /** A validation did not hold, or failed. @param seconds from the start of its policy */
  policyFailed(
    policy: string,
    binding: string,
    message: string,
    enforcement: PolicyEnforcement,
    seconds: number,
  ): void {
    const labels = [policy, binding, errorType(message), enforcement];
    this.#checks.add(labels);
    this.#checkTimes.observe(labels, seconds);
  }
}

/** Distributions by step, operation and outcome: every write looks them up, without making a key. */
class OutcomeTimes {
  readonly #byOperation: Map<string, Distribution[]> = new Map();
  readonly #make: (labels: LabelValues) => Distribution;

  constructor(make: (labels: LabelValues) => Distribution) {
    this.#make = make;
  }

  of(step: AdmissionStep, operation: string, isRejected: boolean): Distribution {
    let times = this.#byOperation.get(operation);
    if (!times) {
      times = [];
      this.#byOperation.set(operation, times);
    }
    const place = (step === 'admit' ? 0 : 2) + Number(isRejected);
    times[place] ??= this.#make([step, operation, String(isRejected)]);
    return times[place];
  }
}

const ERROR_TYPES = {
  denied: 'no_error',
  failed: 'calling_webhook_error',
  broken: 'apiserver_internal_error',
} as const;

function codeOf(outcome: WebhookOutcome): string {
  if (outcome.kind === 'allowed') return '200';
  return outcome.kind === 'broken' ? '0' : String(Math.min(outcome.code, MAXIMUM_CODE));
}

/** As the reference tells errors apart: a validation that is false has an invalid error, too. */
function errorType(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget')
    ? 'out_of_budget'
    : 'invalid_error';
}
