import { FieldErrors, fieldErrorText, StatusError } from '@ashlar/core';

/** What a table row contains besides its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/**
 * Parses the query parameter `includeObject`.
 * @throws StatusError 400
 */
export function parseIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const error = FieldErrors.invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw StatusError.badRequest(`Unable to convert to Table as requested: ${fieldErrorText(error)}`);
}
