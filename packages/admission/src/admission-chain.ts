import { type ApiObject, andFinally, andThen, type MaybePromise, type UserInfo } from '@ashlar/core';
import type { AdmissionMetrics, AdmissionStep } from './admission-metrics.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRounds } from './admission-request.ts';
import { explainedDenial, refusedBy } from './explain-denial.ts';

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
  { explainsTo, metrics }: AdmissionChainOptions = {},
): AdmissionChain {
  const mutating = plugins.filter((plugin) => plugin.admit !== undefined);
  const validating = plugins.filter((plugin) => plugin.validate !== undefined);
  const explaining = (request: AdmissionRequest): AdmissionRequest =>
    explainsTo?.(request.user) ? { ...request, explains: true } : request;
  return {
    mutate(original) {
      const request = explaining(original);
      const watch = metrics && new StepWatch('admit', request, metrics);
      return inOneStep(watch, () => admitInRounds(mutating, request, watch));
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

function admitInRounds(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  watch: StepWatch | undefined,
): MaybePromise<ApiObject | undefined> {
  const rounds = new Rounds();
  return andThen(admitAll(plugins, request, rounds, watch), (object) => {
    if (!rounds.isRequested) return object;
    rounds.round = 1;
    const again = object === request.object ? request : { ...request, object };
    return admitAll(plugins, again, rounds, watch);
  });
}

/** Most plugins answer at once: nothing is waited for then. The rest of the chain follows one that does not. */
function admitAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  rounds: AdmissionRounds,
  watch: StepWatch | undefined,
  first = 0,
  changed: ApiObject | undefined = request.object,
): MaybePromise<ApiObject | undefined> {
  let object = changed;
  for (const [index, plugin] of plugins.entries()) {
    if (index < first) continue;
    const current = object === request.object ? request : { ...request, object };
    if (!plugin.handles(current)) continue;
    const response = observed(plugin, request, watch, () => plugin.admit?.(current, rounds));
    if (response instanceof Promise) {
      const before = object;
      return response.then((after) => admitAll(plugins, request, rounds, watch, index + 1, after ?? before));
    }
    object = response ?? object;
  }
  return object;
}

function validateAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  watch: StepWatch | undefined,
  first = 0,
): MaybePromise<void> {
  for (let index = first; index < plugins.length; index++) {
    const plugin = plugins[index] as AdmissionPlugin;
    if (!plugin.handles(request)) continue;
    const response = observed(plugin, request, watch, () => plugin.validate?.(request));
    if (response instanceof Promise)
      return response.then(() => validateAll(plugins, request, watch, index + 1));
  }
}

/** Calls a plugin, measures it and names it in its errors. */
function observed<T>(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  watch: StepWatch | undefined,
  call: () => MaybePromise<T>,
): MaybePromise<T> {
  const fail = (error: unknown): never => {
    watch?.pluginDone(plugin, true);
    throw namingPlugin(plugin, request, error);
  };
  const done = (result: T): T => {
    watch?.pluginDone(plugin, false);
    return result;
  };
  let response: MaybePromise<T>;
  try {
    response = call();
  } catch (error) {
    return fail(error);
  }
  return response instanceof Promise ? response.then(done, fail) : done(response);
}

const namingPlugin = ({ name }: AdmissionPlugin, request: AdmissionRequest, error: unknown): unknown =>
  explainedDenial(request, error, () => [refusedBy('AdmissionPlugin', name)]);

/** Measures one half of the chain for a request, and the plugins in it. */
class StepWatch {
  readonly #step: AdmissionStep;
  readonly #operation: string;
  readonly #metrics: AdmissionMetrics;
  readonly #start: number;
  /** End of the plugin before: the clock is read once between two. */
  #last: number;
  #isRejected = false;

  constructor(step: AdmissionStep, { operation }: AdmissionRequest, metrics: AdmissionMetrics) {
    this.#step = step;
    this.#operation = operation;
    this.#metrics = metrics;
    this.#start = metrics.now();
    this.#last = this.#start;
  }

  pluginDone({ name }: AdmissionPlugin, isRejected: boolean): void {
    this.#isRejected ||= isRejected;
    this.#last = this.#metrics.pluginDone(name, this.#step, this.#operation, isRejected, this.#last);
  }

  stepDone(): void {
    this.#metrics.stepDone(this.#step, this.#operation, this.#isRejected, this.#start);
  }
}

class Rounds implements AdmissionRounds {
  round: 0 | 1 = 0;
  isRequested = false;
  #memory: Map<AdmissionPlugin, unknown> | undefined;

  again(): void {
    this.isRequested = true;
  }

  remember(plugin: AdmissionPlugin, value: unknown): void {
    this.#memory ??= new Map();
    this.#memory.set(plugin, value);
  }

  remembered(plugin: AdmissionPlugin): unknown {
    return this.#memory?.get(plugin);
  }
}
