import { type JsonObject, type ObjectMeta, objectMetaSchema } from '@ashlar/core';
import type { ResourceDefinition, ResourceVersion } from '@ashlar/registry';
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

/** Returns metadata without some annotations. */
export function withoutAnnotations(metadata: ObjectMeta, names: readonly string[]): ObjectMeta {
  const { annotations } = metadata;
  if (!annotations || !names.some((name) => Object.hasOwn(annotations, name))) return metadata;
  const kept = Object.entries(annotations).filter(([name]) => !names.includes(name));
  if (kept.length > 0) return { ...metadata, annotations: Object.fromEntries(kept) };
  const { annotations: _, ...rest } = metadata;
  return rest;
}
