import { type ApiObject, parseApiVersion } from '@ashlar/core';
import type { ApiCatalog, ServedResource } from '@ashlar/http';

/** Returns the served resource of an object's kind. */
export function findKind(catalog: ApiCatalog, { apiVersion, kind }: ApiObject): ServedResource | undefined {
  const { group, version } = parseApiVersion(apiVersion) ?? {};
  const served = catalog.versions(group ?? '').find((candidate) => candidate.version === version);
  return [...(served?.resources.values() ?? [])].find(({ definition }) => definition.names.kind === kind);
}
