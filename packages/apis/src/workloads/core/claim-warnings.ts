import type { ObjectMeta, Vocabulary } from '@ashlar/core';
import { fractionWarning } from '../pods/fraction-warnings.ts';
import type { ClaimSpec } from './claim-validation.ts';

/** Texts of Warning headers about the spec of a claim. */
export function claimWarnings({ resources }: ClaimSpec, path: string): readonly string[] {
  return (['requests', 'limits'] as const).flatMap((kind) =>
    fractionWarning(resources?.[kind]?.storage, `${path}.resources.${kind}[storage]`),
  );
}

/** Texts of Warning headers about an annotation that was the class of storage before there was a field. */
export function storageClassWarnings(
  { annotations }: ObjectMeta,
  { labelDomain }: Vocabulary,
): readonly string[] {
  const key = `volume.beta.${labelDomain}/storage-class`;
  return annotations && Object.hasOwn(annotations, key)
    ? [`metadata.annotations[${key}]: deprecated since v1.8; use "storageClassName" attribute instead`]
    : [];
}
