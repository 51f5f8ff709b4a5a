import { type ApiObject, parseApiVersion } from '@ashlar/core';
import type { ApiCatalog, ServedResource } from '@ashlar/http';

/** What a catalog serves for the kind of an object. */
export function findKind(catalog: ApiCatalog, { apiVersion, kind }: ApiObject): ServedResource | undefined {
  const { group, version } = parseApiVersion(apiVersion) ?? {};
  const served = catalog.versions(group ?? '').find((candidate) => candidate.version === version);
  return [...(served?.resources.values() ?? [])].find(({ definition }) => definition.names.kind === kind);
}
