import type { FieldError, JsonValue, Schema } from '@ashlar/core';
import { formatCheck } from '../formats/string-formats.ts';
import { isInteger, isWhole } from '../formats/whole-number.ts';
import { typeError } from '../validate/value-errors.ts';

/** The check of a value's JSON type. */
export interface TypeCheck {
  /** Whether there is a type to check. */
  readonly applies: boolean;
  /** Returns 1 if the type is right, otherwise 0. */
  check(value: JsonValue, path: string, errors: FieldError[]): number;
}

/**
 * Compiles the check of the type (semantics/schemas#validation-texts). A checked format replaces the type:
 * strings and lists pass, other errors name the format.
 */
export function compileTypeCheck(schema: Schema): TypeCheck {
  const types = schema.intOrString ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const isChecked = schema.format !== undefined && formatCheck(schema.format) !== undefined;
  return typeCheck(types, isChecked ? (schema.format ?? '') : '', schema.nullable ?? false);
}

/** The check of defaults: int-or-string requires no type, and otherwise unchecked formats count. */
export function compileLiteralTypeCheck(schema: Schema): TypeCheck {
  return typeCheck(schema.type ? [schema.type] : [], schema.format ?? '', schema.nullable ?? false);
}

function typeCheck(types: readonly string[], format: string, nullable: boolean): TypeCheck {
  const isNumeric = types.includes('number') || types.includes('integer');
  const misfit = (value: JsonValue): readonly [wanted: string, found: string] | undefined => {
    if (value === null) return types.length > 0 && !nullable ? [types.join(), 'null'] : undefined;
    const isPlain = typeof value === 'string' || Array.isArray(value);
    const type = jsonTypeOf(value);
    const fits = types.includes(type) || isNumberOf(value, types);
    const found = formatOf(type);
    if (format !== '' && format !== found && !isPlain && !fits) return [format, found];
    if (format !== '' && isPlain && !isNumeric) return undefined;
    return fits ? undefined : [types.join(), type];
  };
  return {
    applies: types.length > 0 || format !== '',
    check(value, path, errors) {
      const found = misfit(value);
      if (found) errors.push(typeError(path, ...found));
      return found ? 0 : 1;
    },
  };
}

/** Integers are numbers, and numbers without a fraction are integers. */
const isNumberOf = (value: JsonValue, types: readonly string[]): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') &&
  (types.includes('number') || (types.includes('integer') && (isInteger(value) || isWhole(Number(value)))));

function jsonTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' || typeof value === 'bigint') return isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const formatOf = (type: string): string =>
  type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '';
