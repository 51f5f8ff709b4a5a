import { StatusError } from '@ashlar/core';
import type { AdmissionRequest } from './admission-request.ts';

/**
 * The rejection of a plugin (403): it names the object as far as its name is known, by what its name is to begin with where it is still to
 * be generated, and `Unknown` where nothing is known of it.
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
