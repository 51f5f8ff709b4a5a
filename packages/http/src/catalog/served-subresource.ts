import {
  createViewStorage,
  type ResourceDefinition,
  type ResourceStorage,
  type SubresourceKind,
  viewsOf,
} from '@ashlar/registry';
import { ServedResource } from './served-resource.ts';

const cache: WeakMap<ServedResource, Map<string, ServedResource | undefined>> = new WeakMap();

/**
 * Returns the served resource of a subresource with another kind than its parent: the kind decides bodies, encodings and columns, the
 * parent everything else. Created once; undefined if the parent has no such subresource.
 */
export function servedSubresource(parent: ServedResource, name: string): ServedResource | undefined {
  let subresources = cache.get(parent);
  if (!subresources) {
    subresources = new Map();
    cache.set(parent, subresources);
  }
  if (!subresources.has(name)) subresources.set(name, makeSubresource(parent, name));
  return subresources.get(name);
}

function makeSubresource(parent: ServedResource, name: string): ServedResource | undefined {
  const { definition, version, storage, apiVersion } = parent;
  const { kind } = definition.names;
  const view = viewsOf(definition, version).find((candidate) => candidate.name === name);
  if (view) {
    const verbs = createViewStorage({ storage, version: version.name, apiVersion, kind }, view);
    return served(parent, view, verbs, view.columns);
  }
  const action = definition.actions?.find((candidate) => candidate.name === name);
  return action && served(parent, action, {});
}

function served(
  parent: ServedResource,
  { group, version, kind, schema, complete, formerVersions, equalVersions }: SubresourceKind,
  storage: ResourceStorage,
  columns?: ResourceDefinition['versions'][number]['columns'],
): ServedResource {
  const own = {
    ...{ name: version, served: true, storage: true, schema },
    ...(columns && { columns }),
    ...(complete && { complete }),
  };
  const { scope, strategy, names } = parent.definition;
  const definition: ResourceDefinition = {
    group,
    names: { ...names, kind },
    scope,
    // kinds of subresources are built in, also those of custom types
    dialect: 'built-in',
    versions: [own],
    ...(formerVersions && { formerVersions }),
    ...(equalVersions && { equalVersions }),
    strategy,
  };
  return new ServedResource(definition, own, storage, parent, parent.retirement, parent.routes);
}
