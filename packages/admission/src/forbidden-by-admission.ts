import { StatusError } from '@ashlar/core';
import type { AdmissionRequest } from './admission-request.ts';

/**
 * The rejection of a plugin (403): it names the object, the prefix of a name that is not generated yet, or
 * `Unknown` if nothing is known.
 * @example
 * throw forbiddenByAdmission(request, 'images need a tag'); // pods "p" is forbidden: images need a tag
 */
export function forbiddenByAdmission(
  { resource, name, object }: Pick<AdmissionRequest, 'resource' | 'name' | 'object'>,
  why: string,
): StatusError {
  const { name: ownName, generateName } = object?.metadata ?? {};
  return StatusError.forbidden(resource, name || ownName || generateName || 'Unknown', why);
}
