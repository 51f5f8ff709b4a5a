import type { ApiObject } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';

/** The chain that every write passes: mutating plugins in order, later the validating ones. */
export interface AdmissionChain {
  /** The object after all mutating plugins; undefined for deletions. */
  mutate(request: AdmissionRequest): Promise<ApiObject | undefined>;
  validate(request: AdmissionRequest): Promise<void>;
}

/**
 * Creates a chain of plugins, called in the given order.
 * @example
 * const chain = createAdmissionChain([
 *   { name: 'NoLatest', handles: (r) => r.resource.resource === 'pods', validate: (r) => check(r.object) },
 * ]);
 */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  return {
    async mutate(request) {
      let object = request.object;
      for (const plugin of plugins) {
        if (!plugin.mutate) continue;
        const asked = object === request.object ? request : { ...request, object };
        if (plugin.handles(asked)) object = (await plugin.mutate(asked)) ?? object;
      }
      return object;
    },
    async validate(request) {
      for (const plugin of plugins) {
        if (plugin.validate && plugin.handles(request)) await plugin.validate(request);
      }
    },
  };
}
