import { type FieldError, FieldErrors } from '@ashlar/core';
import { type CustomResourceDefinition, versionsOf } from '../definitions/custom-resource-definition.ts';

/**
 * Maximum number of versions, and of stored versions: far more than a kind has in its life. All of them are installed together whenever the
 * definition changes, and each is a document of its own for readers of discovery and OpenAPI.
 */
const MAXIMUM_VERSIONS = 500;

/** The error of a definition with too many versions. As many as the stored definition has may stay. */
export function tooManyVersions(
  definition: CustomResourceDefinition,
  stored: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  return countErrors('spec.versions', versionsOf(definition), stored && versionsOf(stored));
}

/** The same of the stored versions of a status. */
export function tooManyStoredVersions(
  { status }: CustomResourceDefinition,
  stored: CustomResourceDefinition,
): readonly FieldError[] {
  return countErrors('status.storedVersions', status.storedVersions, stored.status.storedVersions);
}

function countErrors(
  path: string,
  list: readonly unknown[] | null | undefined,
  stored: readonly unknown[] | null | undefined,
): readonly FieldError[] {
  const count = list?.length ?? 0;
  return count > Math.max(MAXIMUM_VERSIONS, stored?.length ?? 0)
    ? [FieldErrors.tooMany(path, count, MAXIMUM_VERSIONS)]
    : [];
}
