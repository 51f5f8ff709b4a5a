import type { ObjectMeta } from '@ashlar/core';

/** Returns metadata without some annotations. */
export function withoutAnnotations(metadata: ObjectMeta, names: readonly string[]): ObjectMeta {
  const { annotations } = metadata;
  if (!annotations || !names.some((name) => Object.hasOwn(annotations, name))) return metadata;
  const kept = Object.entries(annotations).filter(([name]) => !names.includes(name));
  if (kept.length > 0) return { ...metadata, annotations: Object.fromEntries(kept) };
  const { annotations: _, ...rest } = metadata;
  return rest;
}
