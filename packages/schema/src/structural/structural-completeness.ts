import { type FieldError, FieldErrors } from '@ashlar/core';
import type { SchemaDocument } from '../convert/schema-document.ts';

/**
 * Fields and items of a combination of the root that the schema does not have
 * (semantics/schemas#structural-rules). Combinations of inner fields are not checked.
 */
export function completenessErrors(schema: SchemaDocument, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkCombinations(schema, { schema, path }, path, errors);
  return errors;
}

/** The part of the schema proper that corresponds to a part of a combination. */
interface Counterpart {
  readonly schema: SchemaDocument | undefined;
  readonly path: string;
}

function checkCombinations(
  part: SchemaDocument,
  counterpart: Counterpart,
  path: string,
  errors: FieldError[],
): void {
  const not = part.schema('not');
  if (not) checkPart(not, counterpart, `${path}.not`, errors);
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, each] of part.schemas(keyword).entries()) {
      checkPart(each, counterpart, `${path}.${keyword}[${index}]`, errors);
    }
  }
}

function checkPart(part: SchemaDocument, counterpart: Counterpart, path: string, errors: FieldError[]): void {
  const { schema } = counterpart;
  if (!schema) {
    errors.push(FieldErrors.required(counterpart.path, `because it is defined in ${path}`));
    return;
  }
  checkCombinations(part, counterpart, path, errors);
  const items = part.schema('items');
  const itemsCounterpart = { schema: schema.schema('items'), path: `${counterpart.path}.items` };
  if (items) checkPart(items, itemsCounterpart, `${path}.items`, errors);
  const properties = schema.named('properties');
  for (const [name, each] of part.named('properties')) {
    const property = { schema: properties.get(name), path: `${counterpart.path}.properties[${name}]` };
    checkPart(each, property, `${path}.properties[${name}]`, errors);
  }
}
