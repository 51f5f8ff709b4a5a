import { type FieldError, FieldErrors, MAXIMUM_FIELD_ERRORS, PrintedValue } from '@ashlar/core';
import type { SchemaDocument } from '../convert/schema-document.ts';
import { misfit } from './structural-invariants.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];

/** Returns the errors of a schema's list type, its keys and the items that it requires (semantics/schemas#structural-rules). */
export function listTypeErrors(schema: SchemaDocument, path: string): readonly FieldError[] {
  const listType = schema.extension('list-type');
  const own = schema.text(listType);
  const isSet = schema.has(listType);
  const errors: FieldError[] = [];
  if (isSet && schema.text('type') !== 'array') {
    errors.push(misfit(`${path}.type`, schema.text('type'), `must be array if ${listType} is specified`));
  } else if (own === 'set') errors.push(...setItemErrors(schema, path));
  if (isSet && !LIST_TYPES.includes(own)) {
    errors.push(FieldErrors.notSupported(`${path}.${listType}`, own, LIST_TYPES));
  }
  const mapKeys = schema.extension('list-map-keys');
  if (schema.texts(mapKeys).length > 0 && own !== 'map') {
    const text = `must be map if ${mapKeys} is non-empty`;
    errors.push(
      isSet
        ? FieldErrors.invalid(`${path}.${listType}`, own, text)
        : FieldErrors.required(`${path}.${listType}`, text),
    );
  }
  if (own === 'map') errors.push(...mapErrors(schema, path));
  const items = schema.schema('items');
  if ((own === 'map' || own === 'set') && items?.flag('nullable')) {
    errors.push(
      FieldErrors.forbidden(`${path}.items.nullable`, `cannot be nullable when ${listType} is ${own}`),
    );
  }
  if (own === 'map' && items) errors.push(...presenceErrors(items, schema.texts(mapKeys), mapKeys, path));
  return errors;
}

/** Items of sets are compared as a whole, so lists and objects must be atomic. */
function setItemErrors(schema: SchemaDocument, path: string): readonly FieldError[] {
  const items = schema.schema('items');
  const listType = schema.extension('list-type');
  const text = `must be atomic as item of a list with ${listType}=set`;
  // The list type is reported for objects too.
  const shown = items?.has(listType) ? items.text(listType) : 'null';
  const keyword = items?.text('type') === 'array' ? listType : schema.extension('map-type');
  if (items?.text('type') === 'array' && items.has(listType) && items.text(listType) !== 'atomic') {
    return [FieldErrors.invalid(`${path}.items.${keyword}`, shown, text)];
  }
  if (items?.text('type') === 'object' && items.text(keyword) !== 'atomic') {
    return [FieldErrors.invalid(`${path}.items.${keyword}`, shown, text)];
  }
  return [];
}

function mapErrors(schema: SchemaDocument, path: string): readonly FieldError[] {
  const listType = schema.extension('list-type');
  const mapKeys = schema.extension('list-map-keys');
  const keys = schema.texts(mapKeys);
  const items = schema.schema('items');
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(FieldErrors.required(`${path}.${mapKeys}`, `must not be empty if ${listType} is map`));
  }
  if (schema.json.items === undefined) {
    errors.push(FieldErrors.required(`${path}.items`, `must have a schema if ${listType} is map`));
  } else if (!items) {
    const text = `must only have a single schema if ${listType} is map`;
    errors.push(FieldErrors.invalid(`${path}.items`, printedItems(schema), text));
  } else if (items.text('type') === 'object') errors.push(...keyErrors(schema, items, keys, path));
  else {
    const text = `must be object if parent array's ${listType} is map`;
    errors.push(FieldErrors.invalid(`${path}.items.type`, items.text('type'), text));
  }
  return errors;
}

/** Items that are no schema: a list of them, or, as null, what is neither. */
function printedItems({ json }: SchemaDocument): PrintedValue {
  const list = '[]apiextensions.JSONSchemaProps';
  const schemas = json.items === null ? `${list}(nil)` : `${list}{…}`;
  return new PrintedValue(
    `apiextensions.JSONSchemaPropsOrArray{Schema:(*apiextensions.JSONSchemaProps)(nil), JSONSchemas:${schemas}}`,
  );
}

function keyErrors(
  schema: SchemaDocument,
  items: SchemaDocument,
  keys: readonly string[],
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const mapKeys = schema.extension('list-map-keys');
  const properties = items.named('properties');
  const seen = new Set<string>();
  for (const key of keys) {
    const property = properties.get(key);
    if (!property) {
      errors.push(
        FieldErrors.invalid(`${path}.${mapKeys}`, keys, 'entries must all be names of item properties'),
      );
    } else if (['array', 'object'].includes(property.text('type'))) {
      const text = `must be a scalar type if parent array's ${schema.extension('list-type')} is map`;
      errors.push(FieldErrors.invalid(`${path}.items.properties[${key}].type`, items.text('type'), text));
    }
    if (seen.has(key)) {
      errors.push(FieldErrors.invalid(`${path}.${mapKeys}`, keys, 'must not contain duplicate entries'));
    }
    seen.add(key);
    if (errors.length >= MAXIMUM_FIELD_ERRORS) break;
  }
  return errors;
}

/** Every item must have its keys. */
function presenceErrors(
  items: SchemaDocument,
  keys: readonly string[],
  mapKeys: string,
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const required = new Set(items.texts('required'));
  const properties = items.named('properties');
  for (const key of keys) {
    const property = properties.get(key);
    if (!property) continue;
    const place = `${path}.items.properties[${key}]`;
    if (!required.has(key) && property.default === undefined) {
      const text = `this property is in ${mapKeys}, so it must have a default or be a required property`;
      errors.push(FieldErrors.required(`${place}.default`, text));
    }
    if (property.flag('nullable')) {
      const text = `this property is in ${mapKeys}, so it cannot be nullable`;
      errors.push(FieldErrors.forbidden(`${place}.nullable`, text));
    }
  }
  return errors;
}
