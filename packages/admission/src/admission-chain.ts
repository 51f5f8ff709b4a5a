import type { ApiObject, UserInfo } from '@ashlar/core';
import type { AdmissionMetrics, AdmissionStep } from './admission-metrics.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRounds } from './admission-request.ts';
import { explainedDenial, refusedBy } from './explain-denial.ts';

/** The chain that every write passes: mutating plugins in order, later the validating ones. */
export interface AdmissionChain {
  /** The object after all mutating plugins; undefined for deletions. */
  mutate(request: AdmissionRequest): Promise<ApiObject | undefined>;
  validate(request: AdmissionRequest): Promise<void>;
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
    async mutate(original) {
      const request = explaining(original);
      const watch = metrics && new StepWatch('admit', request, metrics);
      const rounds = new Rounds();
      try {
        const object = await admitAll(mutating, request, rounds, watch);
        if (!rounds.isRequested) return object;
        rounds.round = 1;
        const again = object === request.object ? request : { ...request, object };
        return await admitAll(mutating, again, rounds, watch);
      } finally {
        watch?.stepDone();
      }
    },
    async validate(original) {
      const request = explaining(original);
      const watch = metrics && new StepWatch('validate', request, metrics);
      try {
        for (const plugin of validating) {
          if (!plugin.handles(request)) continue;
          try {
            // most plugins answer at once: nothing is waited for then
            const response = plugin.validate?.(request);
            if (response instanceof Promise) await response;
          } catch (error) {
            watch?.pluginDone(plugin, true);
            throw namingPlugin(plugin, request, error);
          }
          watch?.pluginDone(plugin, false);
        }
      } finally {
        watch?.stepDone();
      }
    },
  };
}

async function admitAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  rounds: AdmissionRounds,
  watch: StepWatch | undefined,
): Promise<ApiObject | undefined> {
  let object = request.object;
  for (const plugin of plugins) {
    const current = object === request.object ? request : { ...request, object };
    if (!plugin.handles(current)) continue;
    try {
      const response = plugin.admit?.(current, rounds);
      object = (response instanceof Promise ? await response : response) ?? object;
    } catch (error) {
      watch?.pluginDone(plugin, true);
      throw namingPlugin(plugin, request, error);
    }
    watch?.pluginDone(plugin, false);
  }
  return object;
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
