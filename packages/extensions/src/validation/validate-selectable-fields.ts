import { type FieldError, FieldErrors, fieldErrorsOf, type Schema } from '@ashlar/core';
import type { SelectableField } from '../definitions/custom-resource-definition.ts';

const MAXIMUM = 8;
const TYPES: ReadonlySet<string | undefined> = new Set(['string', 'boolean', 'integer']);

/**
 * Errors of selectable fields: each must be a scalar of the schema
 * (semantics/list-and-watch#field-selectors).
 */
export function selectableFieldsErrors(
  fields: readonly SelectableField[],
  schema: Schema,
  path: string,
): readonly FieldError[] {
  const seen = new Set<string>();
  const errors = fieldErrorsOf(fields, (field, index) =>
    fieldErrors(field, schema, `${path}[${index}].jsonPath`, seen),
  );
  return seen.size > MAXIMUM ? [...errors, FieldErrors.tooMany(path, seen.size, MAXIMUM)] : errors;
}

function fieldErrors(
  { jsonPath }: SelectableField,
  schema: Schema,
  field: string,
  seen: Set<string>,
): readonly FieldError[] {
  if (jsonPath === '') return [FieldErrors.required(field)];
  const found = schemaAt(jsonPath, schema);
  if (typeof found === 'string')
    return [FieldErrors.invalid(field, jsonPath, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.steps[0] === 'metadata')
    errors.push(FieldErrors.invalid(field, jsonPath, 'must not point to fields in metadata'));
  if (!TYPES.has(found.schema.type)) {
    const text =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    errors.push(FieldErrors.invalid(field, jsonPath, text));
  }
  const key = JSON.stringify(found.steps);
  if (seen.has(key)) errors.push(FieldErrors.duplicate(field, jsonPath));
  seen.add(key);
  return errors;
}

interface Place {
  readonly steps: readonly string[];
  readonly schema: Schema;
}

const TOKEN = /[.[\]]|[^.[\]]+/g;

/** Resolves a dotted path in a schema, or returns its error. It is read no further than the schema goes. */
function schemaAt(jsonPath: string, root: Schema): Place | string {
  const tokens = jsonPath.matchAll(TOKEN);
  const steps: string[] = [];
  let schema = root;
  for (const [token] of tokens) {
    if (token === '[') return 'array notation is not allowed';
    if (token !== '.') return `expected [ or . but got: ${token}`;
    const name = tokens.next().value?.[0];
    if (name === undefined) return 'unexpected end of JSON path';
    const next = member(schema, name);
    if (!next) return 'does not refer to a valid field';
    steps.push(name);
    schema = next;
  }
  return { steps, schema };
}

function member({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties) return Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
