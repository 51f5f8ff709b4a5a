import { type FieldError, FieldErrors, fieldErrorsOf } from '../errors/field-error.ts';
import { unprintableCharacters } from '../text/go-text.ts';
import { utf8Length } from '../text/utf8.ts';

/** Maximum size of the name of a field manager in bytes. */
export const FIELD_MANAGER_LIMIT_BYTES = 128;

const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Validates the name of a field manager: short and printable (semantics/verbs#options). Positions in the
 * errors count bytes.
 */
export function validateFieldManager(name: string, field = 'fieldManager'): readonly FieldError[] {
  if (name.length <= FIELD_MANAGER_LIMIT_BYTES && PRINTABLE_ASCII.test(name)) return [];
  let position = 0;
  let passed = 0;
  const characters = fieldErrorsOf(unprintableCharacters(name), ({ 0: character, index }) => {
    position += utf8Length(name.slice(passed, index));
    passed = index;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return [FieldErrors.invalid(field, name, `invalid character U+${code} (at position ${position})`)];
  });
  const isLong = utf8Length(name) > FIELD_MANAGER_LIMIT_BYTES;
  return isLong ? [FieldErrors.tooLong(field, FIELD_MANAGER_LIMIT_BYTES), ...characters] : characters;
}
