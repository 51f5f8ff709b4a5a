import type { TypedKind, TypedKinds } from '@ashlar/admission';
import { objectMetaSchema, parseApiVersion, type Schema } from '@ashlar/core';
import type { ApiCatalog, ServedResource } from '@ashlar/http';

/** Returns the schemas of the kinds that a server serves. */
export function typedKinds(catalog: ApiCatalog): TypedKinds {
  return {
    vocabulary: catalog.vocabulary,
    ofResource: ({ group, version, resource }) => typedKind(catalog.find(group, version, resource)),
    ofParams({ apiVersion = '', kind = '' }) {
      const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
      const served = catalog.versions(group).find((candidate) => candidate.version === version);
      const resources = [...(served?.resources.values() ?? [])];
      return typedKind(resources.find(({ definition }) => definition.names.kind === kind));
    },
  };
}

function typedKind(served: ServedResource | undefined): TypedKind | undefined {
  if (!served) return undefined;
  const { definition, version } = served;
  const { group, names, dialect } = definition;
  const schema = dialect === 'custom' ? withMetadata(version.schema) : version.schema;
  return { group, version: version.name, kind: names.kind, schema };
}

/** Schemas of users' kinds leave out what every object has. */
const withMetadata = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, metadata: objectMetaSchema },
});
