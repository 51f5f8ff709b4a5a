import { type JsonObject, type ObjectMeta, objectMetaSchema } from '@ashlar/core';
import { type ResourceDefinition, type ResourceVersion, withoutAnnotations } from '@ashlar/registry';
import { compileTyped } from '@ashlar/schema';

/** The version of a type in which metadata are shown. */
interface ServedVersion {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
}

/**
 * Returns metadata as they are shown without the rest of the object: in the order of a built-in kind, and without the annotations in which a version
 * keeps fields that it does not have.
 */
export function metadataAlone({ definition, version }: ServedVersion, metadata: ObjectMeta): object {
  const isCustom = definition.dialect === 'custom';
  const ordered = isCustom ? metadataCodec.decode(metadata as JsonObject, ignore) : metadata;
  return version.fieldAnnotations ? withoutAnnotations(ordered, version.fieldAnnotations) : ordered;
}

const metadataCodec = compileTyped(objectMetaSchema);

const ignore = (): void => {};
