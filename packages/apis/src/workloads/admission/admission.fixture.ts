import {
  type AdmissionChain,
  type AdmissionPlugin,
  type AdmissionRequest,
  createAdmissionChain,
} from '@ashlar/admission';
import type { ApiObject } from '@ashlar/core';

/** A plugin, called as a server calls it. */
export interface PluginUnderTest {
  /**
   * Returns the object that the plugin admits.
   * @throws StatusError
   */
  admit(object: ApiObject, changes?: Partial<AdmissionRequest>): Promise<ApiObject>;
  readonly warnings: string[];
  readonly annotations: Map<string, string>;
}

/** Calls plugins for pods, unless a test asks for another type. */
export function underTest(...plugins: readonly AdmissionPlugin[]): PluginUnderTest {
  const chain: AdmissionChain = createAdmissionChain(plugins);
  const warnings: string[] = [];
  const annotations = new Map<string, string>();
  return {
    warnings,
    annotations,
    async admit(object, changes = {}) {
      const request: AdmissionRequest = {
        operation: 'CREATE',
        resource: { group: '', version: 'v1', resource: 'pods' },
        kind: { group: '', version: 'v1', kind: 'Pod' },
        subresource: '',
        namespace: 'n',
        name: object.metadata.name ?? '',
        object,
        user: { name: 'u', groups: [] },
        dryRun: false,
        warn: (text) => warnings.push(text),
        annotate: (key, value) => annotations.set(key, value),
        ...changes,
      };
      const changed = (await chain.mutate(request)) ?? object;
      await chain.validate({ ...request, object: changed });
      return changed;
    },
  };
}

/** A pod of a spec. */
export const podOf = (spec: object, metadata: object = {}): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', ...metadata }, spec }) as ApiObject;
