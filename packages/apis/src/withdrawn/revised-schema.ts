import type { Schema } from '@ashlar/core';
import type { Field } from '../types/schema-fields.ts';

/** Fields of a type by name. */
export type Fields = Readonly<Record<string, Field>>;

/** Changes of the fields of types, by the name of the type. */
export type FieldChanges = Readonly<Record<string, (fields: Fields) => Fields>>;

/**
 * Returns a schema in which some types have other fields, at every place where it uses them. The other types are shared with the
 * given schema.
 *
 * @param rename start of the names of types, and what replaces it
 * @example revisedSchema(deploymentSchema, { 'api.apps.v1.DeploymentSpec': without('paused') })
 */
export function revisedSchema(
  schema: Schema,
  changes: FieldChanges,
  rename: readonly [string, string] = ['', ''],
): Schema {
  return new Revision(changes, rename).of(schema);
}

class Revision {
  readonly #changes: FieldChanges;
  readonly #from: string;
  readonly #to: string;
  /** Fields of revised types by the original ones. */
  readonly #known: Map<object, Readonly<Record<string, Schema>>> = new Map();

  constructor(changes: FieldChanges, [from, to]: readonly [string, string]) {
    this.#changes = changes;
    this.#from = from;
    this.#to = to;
  }

  of<T extends Schema>(schema: T): T {
    const { properties, items, additionalProperties, typeName } = schema;
    const fields = properties && this.#fields(properties, typeName);
    const item = items && this.of(items);
    const value =
      typeof additionalProperties === 'object' ? this.of(additionalProperties) : additionalProperties;
    const name = typeName && this.#name(typeName);
    if (fields === properties && item === items && value === additionalProperties && name === typeName)
      return schema;
    return {
      ...schema,
      ...(fields && { properties: fields }),
      ...(item && { items: item }),
      ...(value !== undefined && { additionalProperties: value }),
      ...(name && { typeName: name }),
    };
  }

  #name(typeName: string): string {
    return this.#from && typeName.startsWith(this.#from)
      ? this.#to + typeName.slice(this.#from.length)
      : typeName;
  }

  #fields(
    properties: Readonly<Record<string, Schema>>,
    typeName: string | undefined,
  ): Readonly<Record<string, Schema>> {
    const cached = this.#known.get(properties);
    if (cached) return cached;
    const change = typeName === undefined ? undefined : this.#changes[typeName];
    const changed = change ? change(properties as Fields) : properties;
    // types may contain themselves: what they find then is filled at the end
    const revised: Record<string, Schema> = {};
    this.#known.set(properties, revised);
    for (const [name, field] of Object.entries(changed)) revised[name] = this.of(field);
    if (changed !== properties) return revised;
    if (Object.entries(revised).some(([name, field]) => field !== properties[name])) return revised;
    this.#known.set(properties, properties);
    return properties;
  }
}

/** Leaves fields out. */
export const without =
  (...names: readonly string[]) =>
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Adds fields, or replaces them at their place. */
export const withFields =
  (more: Fields) =>
  (fields: Fields): Fields => ({ ...fields, ...more });

/** Gives fields other defaults; undefined takes the default away. */
export const withDefaults =
  (defaults: Readonly<Record<string, Schema['default']>>) =>
  (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]): [string, Field] => {
        if (!Object.hasOwn(defaults, name)) return [name, field];
        const { default: _, ...rest } = field;
        const value = defaults[name];
        return [name, value === undefined ? rest : { ...rest, default: value, hiddenDefault: true }];
      }),
    );
