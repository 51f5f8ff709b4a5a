import type { JsonValue, Schema } from '@ashlar/core';
import { checkedName, documentation, indented, propertyName } from './source-text.ts';

/** Options of writing zod. */
export interface ToZodSourceOptions {
  /** Name of the constant: `shelf`. */
  readonly name: string;
  /**
   * Called for each omitted keyword that zod cannot express: `spec.size`, `anyOf`. By default such keywords
   * are rejected.
   */
  readonly report?: (path: string, keyword: string) => void;
}

/**
 * Prints the zod 4 source of a schema, as an expression of `z`; {@link fromZod} converts it back to the same
 * schema. What zod cannot express but `fromZod` supports is in `meta`. Combinations (`anyOf` and the like)
 * are omitted or rejected, except that of an int-or-string.
 *
 * @throws TypeError that names the path, for what cannot be expressed
 * @example
 * toZodSource({ type: 'object', properties: { size: { type: 'integer', minimum: 1 } } }, { name: 'shelf' });
 * // export const shelf = z.object({
 * //   size: z.int().min(1).optional(),
 * // });
 */
export function toZodSource(schema: Schema, options: ToZodSourceOptions): string {
  const name = checkedName(options.name);
  const text = new Writer(options.report ?? refuse).schema(schema, '');
  return `${documentation(schema.description)}export const ${name} = ${text};\n`;
}

const refuse = (path: string, keyword: string): void => {
  throw new TypeError(`schema of ${path || 'the root'}: ${keyword} cannot be written as zod`);
};

/** Members written as metadata, which `fromZod` reads. */
const META = [
  'title',
  'format',
  'pattern',
  'minProperties',
  'maxProperties',
  'intOrString',
  'embeddedResource',
  'preserveUnknownFields',
  'listType',
  'listMapKeys',
  'mapType',
  'validations',
  'patchStrategy',
  'patchMergeKey',
] as const satisfies readonly (keyof Schema)[];
const COMBINATIONS = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'uniqueItems',
] as const satisfies readonly (keyof Schema)[];

class Writer {
  readonly #report: (path: string, keyword: string) => void;

  constructor(report: (path: string, keyword: string) => void) {
    this.#report = report;
  }

  schema(schema: Schema, path: string): string {
    for (const keyword of COMBINATIONS) {
      const isOfIntOrString = schema.intOrString && (keyword === 'anyOf' || keyword === 'allOf');
      if (schema[keyword] !== undefined && schema[keyword] !== false && !isOfIntOrString)
        this.#report(path, keyword);
    }
    const { nullable, default: preset, description } = schema;
    return [
      this.#type(schema, path),
      metaText(schema),
      description === undefined ? '' : `.describe(${literal(description)})`,
      nullable ? '.nullable()' : '',
      preset === undefined || preset === null ? '' : `.default(${literal(preset)})`,
    ].join('');
  }

  #type(schema: Schema, path: string): string {
    if (schema.intOrString) return 'z.union([z.int(), z.string()])';
    const values = schema.enum?.filter((value) => value !== null);
    if (values?.length) return this.#enumeration(values, path);
    switch (schema.type) {
      case 'string':
        return `z.string()${bound('min', schema.minLength)}${bound('max', schema.maxLength)}`;
      case 'boolean':
        return 'z.boolean()';
      case 'integer':
        return `z.int()${numberBounds(schema)}`;
      case 'number':
        return `z.number()${numberBounds(schema)}`;
      case 'array':
        return this.#list(schema, path);
      case 'object':
        return this.#object(schema, path);
      default:
        return 'z.unknown()';
    }
  }

  #enumeration(values: readonly JsonValue[], path: string): string {
    if (values.some((value) => typeof value === 'object' || typeof value === 'bigint'))
      this.#report(path, 'enum');
    const isText = values.every((value) => typeof value === 'string');
    return isText ? `z.enum(${literal(values)})` : `z.literal(${literal(values)})`;
  }

  #list(schema: Schema, path: string): string {
    const items = schema.items ? this.schema(schema.items, `${path}[]`) : 'z.unknown()';
    return `z.array(${items})${bound('min', schema.minItems)}${bound('max', schema.maxItems)}`;
  }

  #object(schema: Schema, path: string): string {
    const { additionalProperties, properties = {}, preserveUnknownFields } = schema;
    if (typeof additionalProperties === 'object') {
      return `z.record(z.string(), ${this.schema(additionalProperties, `${path}{}`)})`;
    }
    const members = Object.entries(properties).map(([name, part]) => this.#member(name, part, schema, path));
    const body = members.length === 0 ? '{}' : `{\n  ${members.map(indented).join('\n  ')}\n}`;
    return `${preserveUnknownFields || additionalProperties === true ? 'z.looseObject' : 'z.object'}(${body})`;
  }

  #member(name: string, part: Schema, { required = [] }: Schema, path: string): string {
    const text = this.schema(part, path === '' ? name : `${path}.${name}`);
    const hasDefault = part.default !== undefined && part.default !== null;
    const isOptional = !required.includes(name) && !hasDefault;
    return `${documentation(part.description)}${propertyName(name)}: ${text}${isOptional ? '.optional()' : ''},`;
  }
}

function numberBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema): string {
  return [
    bound(exclusiveMinimum ? 'gt' : 'min', minimum),
    bound(exclusiveMaximum ? 'lt' : 'max', maximum),
    bound('multipleOf', multipleOf),
  ].join('');
}

const bound = (method: string, value: number | undefined): string =>
  value === undefined ? '' : `.${method}(${value})`;

function metaText(schema: Schema): string {
  const present = META.filter((keyword) => schema[keyword] !== undefined && !isImplied(schema, keyword));
  if (present.length === 0) return '';
  return `.meta({ ${present.map((keyword) => `${keyword}: ${literal(schema[keyword] as JsonValue)}`).join(', ')} })`;
}

/** Whether the type implies it. */
function isImplied({ type }: Schema, keyword: (typeof META)[number]): boolean {
  if (keyword === 'intOrString') return true;
  return keyword === 'preserveUnknownFields' && (type === undefined || type === 'object');
}

/** Prints a value as source. */
function literal(value: JsonValue): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  return `{ ${members.map(([name, member]) => `${propertyName(name)}: ${literal(member as JsonValue)}`).join(', ')} }`;
}
