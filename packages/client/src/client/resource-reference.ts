import { type ApiObject, actualValueText } from '@ashlar/core';
import type { ResourceReference } from './resource-options.ts';

/** A resource type that was defined in code, as `defineResource` returns it. */
export interface DefinedResource<T extends ApiObject, New extends ApiObject = T> {
  readonly group: string;
  readonly names: { readonly plural: string; readonly kind: string };
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly storage: boolean;
  }[];
  /** Never set: carries the types of the objects. */
  readonly objectTypes?: { readonly object: T; readonly newObject: New };
}

/**
 * The reference of a resource; a definition is served in its stored version, else in the first that is served.
 * @throws TypeError for anything else
 */
export function referenceOf(
  referenceOrType: ResourceReference | DefinedResource<ApiObject>,
): ResourceReference {
  if (typeof referenceOrType === 'object' && referenceOrType !== null && 'names' in referenceOrType)
    return ofDefinition(referenceOrType);
  const { group, version, resource } = (referenceOrType ?? {}) as Partial<ResourceReference>;
  if ([group, version, resource].every((part) => typeof part === 'string'))
    return referenceOrType as ResourceReference;
  throw new TypeError(
    `client.resource takes a definition or a reference, such as { group: '', version: 'v1', resource: 'configmaps' }, not ${actualValueText(referenceOrType)}`,
  );
}

function ofDefinition({ group, names, versions }: DefinedResource<ApiObject>): ResourceReference {
  const served = versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  if (!version) throw new TypeError(`${names.plural}.${group} has no version that is served`);
  return { group, version: version.name, resource: names.plural, kind: names.kind };
}
