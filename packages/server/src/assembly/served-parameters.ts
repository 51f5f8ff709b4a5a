import type { FindParameters, ParameterObjects } from '@ashlar/admission';
import {
  type ApiObject,
  everyField,
  type LabelSelector,
  parseApiVersion,
  undefinedIfNotFound,
} from '@ashlar/core';
import type { ApiCatalog, ServedResource } from '@ashlar/http';
import { objectOf } from '@ashlar/registry';
import { systemContext } from './system-context.ts';

/** Returns the objects of served kinds, in their version, as the parameters of policies. */
export function servedParameters(catalog: ApiCatalog): FindParameters {
  const found = new Map<string, ParameterObjects | undefined>();
  let generation = -1;
  return ({ apiVersion = '', kind = '' }) => {
    if (catalog.generation !== generation) found.clear();
    generation = catalog.generation;
    const key = `${apiVersion} ${kind}`;
    if (!found.has(key)) found.set(key, parametersOf(catalog, apiVersion, kind));
    return found.get(key);
  };
}

function parametersOf(catalog: ApiCatalog, apiVersion: string, kind: string): ParameterObjects | undefined {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const ofVersion = catalog.versions(group).find((served) => served.version === version);
  const resources = [...(ofVersion?.resources.values() ?? [])];
  const served = resources.find(({ definition }) => definition.names.kind === kind);
  return served?.storage.get && served.storage.list ? new ServedParameters(served) : undefined;
}

class ServedParameters implements ParameterObjects {
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly #served: ServedResource;

  constructor(served: ServedResource) {
    this.resource = served.groupResource.resource;
    this.isNamespaced = served.namespaced;
    this.#served = served;
  }

  async get(namespace: string, name: string): Promise<ApiObject | undefined> {
    const { storage } = this.#served;
    try {
      const context = systemContext(this.#served, namespace);
      const result = await storage.get?.(context, { name, resourceVersion: 0 });
      return result && objectOf(result);
    } catch (error) {
      return undefinedIfNotFound(error);
    }
  }

  async list(namespace: string, labels: LabelSelector): Promise<readonly ApiObject[]> {
    const { storage } = this.#served;
    const context = systemContext(this.#served, namespace);
    const result = await storage.list?.(context, { labels, fields: everyField, resourceVersion: 0 });
    return (result?.items ?? []).map(objectOf);
  }
}
