import type { OwnerResource } from '@ashlar/admission';
import { parseApiVersion } from '@ashlar/core';
import type { ApiCatalog } from '@ashlar/http';
import { systemContext } from '../assembly/system-context.ts';

/** Creates a namespace as the server itself. @throws StatusError */
export async function createNamespace(catalog: ApiCatalog, name: string): Promise<void> {
  const served = catalog.find('', 'v1', 'namespaces');
  await served?.storage.create?.(systemContext(served, ''), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  });
}

/** Returns the resource that serves a kind. */
export function resourceOfKind(
  catalog: ApiCatalog,
  apiVersion: string,
  kind: string,
): OwnerResource | undefined {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const served = catalog.versions(group).find((candidate) => candidate.version === version);
  const found = [...(served?.resources.values() ?? [])].find(
    ({ definition }) => definition.names.kind === kind,
  );
  if (!found) return undefined;
  const { names, scope } = found.definition;
  return { group, version, resource: names.plural, namespaced: scope === 'Namespaced' };
}
