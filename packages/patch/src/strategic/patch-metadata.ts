import { goQuote, type Schema } from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';

/** How a strategic merge patch treats a field (semantics/patches#strategic-merge-patch). */
export interface FieldStrategy {
  /** Schema of the object, or of the list's items. */
  readonly schema: Schema;
  /** `merge`, `replace` or nothing: objects merge, lists replace. */
  readonly strategy: string;
  /** Whether created patches list retained keys. */
  readonly retainKeys: boolean;
  /** The member that identifies an item of a merged list of objects; empty for lists of scalars. */
  readonly mergeKey: string;
}

/** The strategy of a field that holds an object. */
export function objectField(schema: Schema, name: string): FieldStrategy {
  const field = fieldSchema(schema, name);
  return { schema: field, ...readStrategies(field), mergeKey: field.patchMergeKey ?? '' };
}

/** The strategy of a field that holds a list; `schema` is that of its items. */
export function listField(schema: Schema, name: string): FieldStrategy {
  const field = objectField(schema, name);
  const { items } = field.schema;
  if (!items) throw new PatchError('bad-request', `expected slice or array type, but got: ${goKind(schema)}`);
  if (items.items) throw new PatchError('bad-request', 'unexpected slice of slice');
  return { ...field, schema: items };
}

function fieldSchema(schema: Schema, name: string): Schema {
  const { properties } = schema;
  const field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (field) return field;
  if (!properties && schema.additionalProperties) {
    const text = `merging an object in json but data type is not struct, instead is: ${goKind(schema)}`;
    throw new PatchError('bad-request', text);
  }
  const type = schema.typeName?.split('.').at(-1) ?? '';
  const text = `unable to find api field in struct ${type} for the json field ${goQuote(name)}`;
  throw new PatchError('bad-request', text);
}

function readStrategies(field: Schema): { strategy: string; retainKeys: boolean } {
  const strategies = field.patchStrategy?.split(',') ?? [];
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (others.length > 1)
    throw new PatchError('bad-request', `unexpected patch strategy: [${strategies.join(' ')}]`);
  return { strategy: others[0] ?? '', retainKeys: others.length < strategies.length };
}

/** Returns the name of a schema's type in messages. */
export function goKind(schema: Schema): string {
  switch (schema.type) {
    case 'object':
      return !schema.properties && schema.additionalProperties ? 'map' : 'struct';
    case 'array':
      return 'slice';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    case 'integer':
      return schema.format ?? 'int64';
    case 'string':
      return 'string';
    default:
      return 'struct';
  }
}
