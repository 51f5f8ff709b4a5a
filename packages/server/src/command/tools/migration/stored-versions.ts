import type { Client, ResourceClient } from '@ashlar/client';
import type { ApiObject } from '@ashlar/core';

/** A definition of custom resources, as far as it tells in which versions objects are stored. */
export interface StoredDefinition extends ApiObject {
  readonly spec: { readonly versions: readonly { readonly name: string; readonly storage: boolean }[] };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

/** The definitions of a server. */
export const definitionsOf = (client: Client): ResourceClient<StoredDefinition> =>
  client.resource<StoredDefinition>({
    ...{ group: 'apiextensions.', version: 'v1', resource: 'customresourcedefinitions' },
    kind: 'CustomResourceDefinition',
  });

/** The version in which objects are stored, if the status of a definition says that some may be stored in others. */
export function versionToStore({ spec, status }: StoredDefinition): string | undefined {
  const version = spec.versions.find(({ storage }) => storage)?.name;
  const stored = status?.storedVersions ?? [];
  return stored.some((other) => other !== version) ? version : undefined;
}

/**
 * Says in the status of a definition that objects are stored in one version only, so that others can leave it.
 * @param before the definition as it was when the first object was written again
 * @throws StatusError 409 if it has changed since: its storage version may be another one
 */
export async function dropOldVersions(
  definitions: ResourceClient<StoredDefinition>,
  { metadata }: StoredDefinition,
  version: string,
): Promise<void> {
  const { name = '', resourceVersion } = metadata;
  await definitions.status.patch(name, {
    type: 'merge',
    patch: { metadata: { resourceVersion }, status: { storedVersions: [version] } },
  });
}
