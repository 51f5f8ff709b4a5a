import type { ApiObject } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRounds } from './admission-request.ts';

/** The chain that every write passes: mutating plugins in order, later the validating ones. */
export interface AdmissionChain {
  /** The object after all mutating plugins; undefined for deletions. */
  mutate(request: AdmissionRequest): Promise<ApiObject | undefined>;
  validate(request: AdmissionRequest): Promise<void>;
}

/**
 * Creates a chain of plugins, called in the given order. When one asks for it, all mutating plugins are called once more, with the object
 * of the first round (semantics/admission#outcomes).
 * @example
 * const chain = createAdmissionChain([
 *   { name: 'NoLatest', handles: (r) => r.resource.resource === 'pods', validate: (r) => check(r.object) },
 * ]);
 */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  const mutating = plugins.filter((plugin) => plugin.admit !== undefined);
  const validating = plugins.filter((plugin) => plugin.validate !== undefined);
  return {
    async mutate(request) {
      const rounds = new Rounds();
      const object = await admitAll(mutating, request, rounds);
      if (!rounds.isWanted) return object;
      rounds.round = 1;
      return admitAll(mutating, object === request.object ? request : { ...request, object }, rounds);
    },
    async validate(request) {
      for (const plugin of validating) {
        // most plugins answer at once: nothing is waited for then
        const answer = plugin.handles(request) ? plugin.validate?.(request) : undefined;
        if (answer instanceof Promise) await answer;
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
    const answer = plugin.handles(asked) ? plugin.admit?.(asked, rounds) : undefined;
    object = (answer instanceof Promise ? await answer : answer) ?? object;
  }
  return object;
}

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
