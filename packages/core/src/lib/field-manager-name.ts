import { type FieldError, FieldErrors } from './field-error.ts';
import { isPrintable } from './go-text.ts';
import { utf8Length } from './utf8.ts';

/** Bytes that the name of a field manager may take. */
export const FIELD_MANAGER_LIMIT_BYTES = 128;

/** Validates the name of a field manager: short and printable (semantics C2). Positions in the errors count bytes. */
export function validateFieldManager(name: string, field = 'fieldManager'): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (utf8Length(name) > FIELD_MANAGER_LIMIT_BYTES)
    errors.push(FieldErrors.tooLong(field, FIELD_MANAGER_LIMIT_BYTES));
  let position = 0;
  for (const character of name) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(FieldErrors.invalid(field, name, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Length(character);
  }
  return errors;
}
