import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schema } from '@ashlar/core';

/** A node of a protobufjs JSON descriptor. */
interface DescriptorNode {
  readonly nested?: Readonly<Record<string, DescriptorNode>>;
  readonly fields?: Readonly<Record<string, DescriptorField>>;
}
interface DescriptorField {
  readonly type: string;
  readonly id: number;
  readonly rule?: 'repeated';
  readonly keyType?: string;
}

/** Properties of a message that published descriptors lack: see go-fields.jsonl. */
interface GoFields {
  readonly type: string;
  /** JSON names of pointers. */
  readonly optional?: readonly string[];
  /** JSON names of members that are printed even when empty. */
  readonly printed?: readonly string[];
  /** Field names of messages that JSON inlines. */
  readonly inline?: readonly string[];
  /** Field names whose JSON name differs. */
  readonly names?: Readonly<Record<string, string>>;
}

type MutableSchema = { -readonly [K in keyof Schema]: Schema[K] };

const FORMATS: Readonly<Record<string, Schema>> = {
  'k8s.io.apimachinery.pkg.apis.meta.v1.Time': { type: 'string', format: 'date-time' },
  'k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime': { type: 'string', format: 'date-time-micro' },
  'k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1': { type: 'object', format: 'fields-v1' },
  'k8s.io.apimachinery.pkg.api.resource.Quantity': { type: 'string', format: 'quantity' },
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': { intOrString: true },
  'k8s.io.apimachinery.pkg.runtime.RawExtension': { type: 'object', format: 'raw-extension' },
};

const SCALARS: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
};

/** Schemas of the messages of a descriptor, created on first use. */
export class DescriptorSchemas {
  readonly #root: DescriptorNode;
  readonly #goFields: ReadonlyMap<string, GoFields>;
  readonly #schemas = new Map<string, MutableSchema>();

  constructor(descriptorFile: string) {
    this.#root = JSON.parse(readFileSync(descriptorFile, 'utf8')) as DescriptorNode;
    this.#goFields = readGoFields();
  }

  /** The schema of a message by its full name, undefined if there is none. */
  schemaOf(name: string): Schema | undefined {
    return this.#nodeAt(name)?.fields ? this.#messageSchema(name) : undefined;
  }

  #messageSchema(name: string): Schema {
    const known = this.#schemas.get(name) ?? FORMATS[name];
    if (known) return known;
    const fields = Object.entries(this.#nodeAt(name)?.fields ?? {});
    const schema: MutableSchema = { typeName: name };
    this.#schemas.set(name, schema);
    if (/\.(ExtraValue|Verbs)$/.test(name))
      Object.assign(schema, { type: 'array', items: { type: 'string' } });
    else Object.assign(schema, { type: 'object', properties: this.#properties(name, fields, []) });
    return schema;
  }

  #properties(
    message: string,
    fields: [string, DescriptorField][],
    path: readonly number[],
  ): Record<string, Schema> {
    const go = this.#goFields.get(message);
    const properties: Record<string, Schema> = {};
    for (const [fieldName, field] of fields) {
      const tag = [...path, field.id];
      if (go?.inline?.includes(fieldName)) {
        const inner = this.#resolve(field.type, message);
        const innerFields = Object.entries(this.#nodeAt(inner)?.fields ?? {});
        Object.assign(properties, this.#properties(inner, innerFields, tag));
        continue;
      }
      const name = go?.names?.[fieldName] ?? fieldName;
      properties[name] = withFlags(this.#fieldSchema(field, message), {
        tag,
        ...(go?.optional?.includes(name) && { optional: true }),
        ...(go?.printed?.includes(name) && { alwaysPrinted: true }),
      });
    }
    return properties;
  }

  #fieldSchema(field: DescriptorField, message: string): Schema {
    const value = SCALARS[field.type] ?? this.#messageSchema(this.#resolve(field.type, message));
    if (field.keyType) return { type: 'object', additionalProperties: value };
    if (field.rule === 'repeated') return { type: 'array', items: value };
    return value;
  }

  /**
   * A type name as protobufjs resolves it: relative names are resolved in the message's own scope and
   * outwards.
   */
  #resolve(type: string, message: string): string {
    if (type.startsWith('.')) return type.slice(1);
    for (let scope = message; scope !== ''; scope = scope.split('.').slice(0, -1).join('.')) {
      const name = `${scope}.${type}`;
      if (this.#nodeAt(name)?.fields) return name;
    }
    return type;
  }

  #nodeAt(name: string): DescriptorNode | undefined {
    let node: DescriptorNode | undefined = this.#root;
    for (const part of name.split('.')) node = node?.nested?.[part];
    return node;
  }
}

/** The schema of a property; members of a recursive type are filled later than the property. */
function withFlags(type: Schema, flags: Schema): Schema {
  const property = { ...type, ...flags };
  if (type.type !== 'object' && type.typeName === undefined) return property;
  return Object.defineProperties(property, {
    type: { enumerable: true, get: () => type.type },
    properties: { enumerable: true, get: () => type.properties },
  });
}

function readGoFields(): Map<string, GoFields> {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'go-fields.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as GoFields).map((fields) => [fields.type, fields]));
}
