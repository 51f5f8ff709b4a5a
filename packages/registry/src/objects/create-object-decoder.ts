import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';
import type { ObjectDecoder } from './object-decoder.ts';
import { structuralDecoder } from './structural-decoder.ts';
import { typedDecoder } from './typed-decoder.ts';

const compiled: WeakMap<ResourceVersion, ObjectDecoder> = new WeakMap();

/** Returns the decoder of a version, compiled on first use and shared by all servers. */
export function objectDecoder(definition: ResourceDefinition, version: ResourceVersion): ObjectDecoder {
  let decoder = compiled.get(version);
  if (!decoder) {
    decoder = createObjectDecoder(definition, version);
    compiled.set(version, decoder);
  }
  return decoder;
}

/** Creates the decoder of one version of a resource type: typed for built-in kinds, structural for custom kinds (semantics/verbs#decoding). */
function createObjectDecoder(definition: ResourceDefinition, version: ResourceVersion): ObjectDecoder {
  const expected = {
    ...{ group: definition.group, version: version.name, kind: definition.names.kind },
    versions: definition.versions.map(({ name }) => name),
    ...(definition.formerVersions && { formerVersions: definition.formerVersions }),
    ...(definition.equalVersions && { equalVersions: definition.equalVersions }),
  };
  return definition.dialect === 'built-in'
    ? typedDecoder(version, expected)
    : structuralDecoder(version, expected, !definition.storage);
}
