import { type ApiObject, andFinally, type MaybePromise, type UserInfo } from '@ashlar/core';
import type { AdmissionMetrics } from './admission-metrics.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';
import { admitInRounds, validateAll } from './call-plugins.ts';
import { StepWatch } from './step-watch.ts';

/**
 * The chain that every write passes: mutating plugins in order, later the validating ones. What no plugin waits for is
 * returned without a promise; errors always are those of a promise.
 */
export interface AdmissionChain {
  /** The object after all mutating plugins; undefined for deletions. */
  mutate(request: AdmissionRequest): MaybePromise<ApiObject | undefined>;
  validate(request: AdmissionRequest): MaybePromise<void>;
}

export interface AdmissionChainOptions {
  /** Whether the causes of a denial explain to a caller which rule refused and what it read; by default they do not. */
  readonly explainsTo?: ((user: UserInfo) => boolean) | undefined;
  /** Mutating plugins that are called once, after all others and all rounds: they check or complete what was made of the object. Default: none */
  readonly last?: readonly AdmissionPlugin[] | undefined;
  /** Counts what the chain does. */
  readonly metrics?: AdmissionMetrics | undefined;
}

/**
 * Creates a chain of plugins, called in the given order. If one requests it, all mutating plugins are called once more, with the object
 * of the first round (semantics/admission#outcomes).
 * @example
 * const chain = createAdmissionChain([
 *   { name: 'NoLatest', handles: (r) => r.resource.resource === 'pods', validate: (r) => check(r.object) },
 * ]);
 */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  { explainsTo, last = [], metrics }: AdmissionChainOptions = {},
): AdmissionChain {
  const mutating = plugins.filter((plugin) => plugin.admit !== undefined);
  const validating = plugins.filter((plugin) => plugin.validate !== undefined);
  const explaining = (request: AdmissionRequest): AdmissionRequest =>
    explainsTo?.(request.user) ? { ...request, explains: true } : request;
  return {
    mutate(original) {
      const request = explaining(original);
      const watch = metrics && new StepWatch('admit', request, metrics);
      return inOneStep(watch, () => admitInRounds(mutating, last, request, watch));
    },
    validate(original) {
      const request = explaining(original);
      const watch = metrics && new StepWatch('validate', request, metrics);
      return inOneStep(watch, () => validateAll(validating, request, watch));
    },
  };
}

function inOneStep<T>(watch: StepWatch | undefined, run: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return watch ? andFinally(run, () => watch.stepDone()) : run();
  } catch (error) {
    return Promise.reject(error);
  }
}
