import type { FieldError, JsonObject, JsonValue, Schema } from '@ashlar/core';
import type { CompilePattern } from '../formats/pattern.ts';
import { formatCheck } from '../formats/string-formats.ts';
import { isInteger, isWhole } from '../formats/whole-number.ts';
import { type Compiled, CompiledSchema } from '../structural/compiled-schema.ts';
import { areDifferent } from '../structural/identity.ts';
import { mapProperties } from '../structural/schema-parts.ts';
import { compileTypeCheck } from '../structural/type-check.ts';
import {
  compileEnumeration,
  compileFormatCheck,
  compileNumberChecks,
  compileStringCheck,
} from './scalar-checks.ts';

/** Whether a value is valid. */
export type Fits = (value: JsonValue) => boolean;

/** Compiles the check of a part of a schema. */
type CompileFits = (part: Schema) => Fits;

/**
 * Compiles a check that a value matches a schema: true exactly if the checks of the schema find nothing.
 * Allocates nothing at run time, so that valid objects, as most are, cost little; {@link compileValueNode}
 * finds the errors of the others.
 * @throws TypeError when it is compiled, if the schema has an invalid pattern
 */
export function compileFits(schema: Schema, compilePattern: CompilePattern): Compiled<Fits> {
  return new CompiledSchema(schema, (part, compile) => partFits(part, compilePattern, compile));
}

function partFits(schema: Schema, compilePattern: CompilePattern, compile: CompileFits): Fits {
  const takesNull = schema.enum?.length ? false : schema.nullable === true || typesNothing(schema);
  const fits = every(checksOf(schema, compilePattern, compile));
  return (value) => (value === null ? takesNull : fits(value));
}

const typesNothing = ({ intOrString, type }: Schema): boolean => !intOrString && type === undefined;

function checksOf(schema: Schema, compilePattern: CompilePattern, compile: CompileFits): readonly Fits[] {
  const checks = [
    typeFits(schema),
    textFits(schema, compilePattern),
    numberFits(schema),
    listFits(schema, compile),
    membersFit(schema, compile),
    enumFits(schema),
    ...combinationsFit(schema, compile),
  ];
  return checks.filter((check) => check !== undefined);
}

const ANYTHING: Fits = () => true;

/** Combines several checks, without a loop if there are few. */
function every([first, second, third, ...others]: readonly Fits[]): Fits {
  if (!first) return ANYTHING;
  if (!second) return first;
  if (!third) return (value) => first(value) && second(value);
  if (others.length === 0) return (value) => first(value) && second(value) && third(value);
  const rest = every(others);
  return (value) => first(value) && second(value) && third(value) && rest(value);
}

function typeFits(schema: Schema): Fits | undefined {
  const { type, intOrString, format } = schema;
  if (!intOrString && (format === undefined || !formatCheck(format))) {
    return type === undefined ? undefined : TYPES[type];
  }
  const check = compileTypeCheck(schema);
  const found: FieldError[] = [];
  return (value) => {
    const fits = check.check(value, '', found) === 1;
    found.length = 0;
    return fits;
  };
}

const TYPES: Readonly<Record<NonNullable<Schema['type']>, Fits>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  integer: (value) =>
    typeof value === 'number'
      ? isWhole(value) || isInteger(value)
      : typeof value === 'bigint' && isInteger(value),
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && !Array.isArray(value),
};

function textFits(schema: Schema, compilePattern: CompilePattern): Fits | undefined {
  const own = compileStringCheck(schema, compilePattern);
  const format = schema.format === undefined ? undefined : compileFormatCheck(schema.format);
  if (!own && !format) return undefined;
  return (value) =>
    typeof value !== 'string' ||
    ((!own || own(value, '') === undefined) && (!format || format(value, '') === undefined));
}

function numberFits(schema: Schema): Fits | undefined {
  const checks = compileNumberChecks(schema);
  if (checks.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return true;
    for (const check of checks) if (check(value, '')) return false;
    return true;
  };
}

function enumFits({ enum: allowed }: Schema): Fits | undefined {
  if (!allowed?.length) return undefined;
  return compileEnumeration(allowed);
}

function listFits(schema: Schema, compile: CompileFits): Fits | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false } = schema;
  const items = schema.items ? compile(schema.items) : ANYTHING;
  if (items === ANYTHING && minItems <= 0 && maxItems === Number.POSITIVE_INFINITY && !uniqueItems) {
    return undefined;
  }
  return (value) => {
    if (!Array.isArray(value)) return true;
    if (value.length < minItems || value.length > maxItems) return false;
    for (let i = 0; i < value.length; i++) if (!items(value[i])) return false;
    return !uniqueItems || areDifferent(value);
  };
}

function membersFit(schema: Schema, compile: CompileFits): Fits | undefined {
  const { additionalProperties, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const properties = mapProperties(schema, compile);
  const other =
    typeof additionalProperties === 'object'
      ? compile(additionalProperties)
      : additionalProperties === false
        ? NOTHING
        : ANYTHING;
  const required = schema.required ?? [];
  const isBounded = minProperties > 0 || maxProperties < Number.POSITIVE_INFINITY;
  if (properties.size === 0 && other === ANYTHING && required.length === 0 && !isBounded) return undefined;
  return (value) => {
    if (typeof value !== 'object' || Array.isArray(value)) return true;
    let size = 0;
    for (const key in value as JsonObject) {
      const member = (value as JsonObject)[key];
      if (member === undefined) continue;
      size++;
      if (!(properties.get(key) ?? other)(member)) return false;
    }
    for (const name of required) if (!isThere(value as JsonObject, name)) return false;
    return size >= minProperties && size <= maxProperties;
  };
}

const NOTHING: Fits = () => false;

const isThere = (value: JsonObject, name: string): boolean =>
  value[name] !== undefined && (!(name in Object.prototype) || Object.hasOwn(value, name));

function combinationsFit(schema: Schema, compile: CompileFits): readonly Fits[] {
  const checks: Fits[] = [];
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length > 0) checks.push(anyFits(anyOf.map(compile)));
  if (oneOf.length > 0) checks.push(oneFits(oneOf.map(compile)));
  if (allOf.length > 0) checks.push(every(allOf.map(compile)));
  if (not) {
    const refused = compile(not);
    checks.push((value) => !refused(value));
  }
  return checks;
}

function anyFits(parts: readonly Fits[]): Fits {
  return (value) => {
    for (const part of parts) if (part(value)) return true;
    return false;
  };
}

function oneFits(parts: readonly Fits[]): Fits {
  return (value) => {
    let count = 0;
    for (const part of parts) if (part(value)) count++;
    return count === 1;
  };
}
