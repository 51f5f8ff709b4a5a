import type { ApiObject, UserInfo } from '@ashlar/core';
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
  { explainsTo }: AdmissionChainOptions = {},
): AdmissionChain {
  const explaining = (request: AdmissionRequest): AdmissionRequest =>
    explainsTo?.(request.user) ? { ...request, explains: true } : request;
  const mutating = plugins.filter((plugin) => plugin.admit !== undefined);
  const validating = plugins.filter((plugin) => plugin.validate !== undefined);
  return {
    async mutate(given) {
      const request = explaining(given);
      const rounds = new Rounds();
      const object = await admitAll(mutating, request, rounds);
      if (!rounds.isWanted) return object;
      rounds.round = 1;
      return admitAll(mutating, object === request.object ? request : { ...request, object }, rounds);
    },
    async validate(given) {
      const request = explaining(given);
      for (const plugin of validating) {
        try {
          // most plugins answer at once: nothing is waited for then
          const answer = plugin.handles(request) ? plugin.validate?.(request) : undefined;
          if (answer instanceof Promise) await answer;
        } catch (error) {
          throw namingPlugin(plugin, request, error);
        }
      }
    },
  };
}

async function admitAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  rounds: AdmissionRounds,
): Promise<ApiObject | undefined> {
  let object = request.object;
  for (const plugin of plugins) {
    const asked = object === request.object ? request : { ...request, object };
    try {
      const answer = plugin.handles(asked) ? plugin.admit?.(asked, rounds) : undefined;
      object = (answer instanceof Promise ? await answer : answer) ?? object;
    } catch (error) {
      throw namingPlugin(plugin, request, error);
    }
  }
  return object;
}

const namingPlugin = ({ name }: AdmissionPlugin, request: AdmissionRequest, error: unknown): unknown =>
  explainedDenial(request, error, () => [refusedBy('AdmissionPlugin', name)]);

class Rounds implements AdmissionRounds {
  round: 0 | 1 = 0;
  isWanted = false;
  #memory: Map<AdmissionPlugin, unknown> | undefined;

  again(): void {
    this.isWanted = true;
  }

  remember(plugin: AdmissionPlugin, value: unknown): void {
    this.#memory ??= new Map();
    this.#memory.set(plugin, value);
  }

  remembered(plugin: AdmissionPlugin): unknown {
    return this.#memory?.get(plugin);
  }
}
