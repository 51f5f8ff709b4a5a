import { decodeYamlDocuments } from '@ashlar/codec';
import { type ApiObject, actualValueText, apiVersionOf, isJsonObject } from '@ashlar/core';
import type { ApiServer } from '@ashlar/server';

/**
 * Applies the objects of a YAML text to a server, in order, as `kubectl apply -f` does.
 * @param text one or more documents, separated by lines `---`
 * @returns the objects as they are stored
 * @throws TypeError for a document that is no object of the server; DecodeError for what is no YAML; StatusError for what the server
 * rejects
 */
export async function applyYaml(server: ApiServer, text: string): Promise<readonly ApiObject[]> {
  if (typeof server?.catalog?.groups !== 'function')
    throw new TypeError(`applyYaml takes a server first, not ${actualValueText(server)}`);
  if (typeof text !== 'string')
    throw new TypeError(`applyYaml takes the text of a YAML file, not ${actualValueText(text)}`);
  const applied: ApiObject[] = [];
  for (const [index, value] of decodeYamlDocuments(text).entries()) {
    const place = `document ${index + 1} of the YAML text`;
    if (!isJsonObject(value) || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string') {
      throw new TypeError(`${place} is not an object with apiVersion and kind`);
    }
    const object = value as unknown as ApiObject;
    const reference = referenceOf(server, object);
    if (!reference)
      throw new TypeError(`${place}: the server has no kind ${object.kind} of ${object.apiVersion}`);
    const { namespaced, ...resource } = reference;
    const all = server.client.resource(resource);
    const target = namespaced ? all.namespace(object.metadata?.namespace ?? 'default') : all;
    applied.push(await target.apply(object, { fieldManager: 'apply-yaml', force: true }));
  }
  return applied;
}

interface NamespacedReference {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

function referenceOf(
  { catalog }: ApiServer,
  { apiVersion, kind }: ApiObject,
): NamespacedReference | undefined {
  for (const group of catalog.groups()) {
    for (const { version, resources } of catalog.versions(group)) {
      if (apiVersionOf({ group, version }) !== apiVersion) continue;
      for (const { definition } of resources.values()) {
        const { names, scope } = definition;
        if (names.kind !== kind) continue;
        return { group, version, resource: names.plural, kind, namespaced: scope === 'Namespaced' };
      }
    }
  }
  return undefined;
}
