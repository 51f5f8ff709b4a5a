import { readFileSync } from 'node:fs';
import type { Schema } from '@ashlar/core';
import { compileTyped, type TypedCodec } from '@ashlar/schema';

// typed-kinds.json contains facts of the published Go types: fields in order as `name:type`, followed by
// `?` for a pointer and `!` for a field that is printed even when empty. `.x` is the struct x, `[]` a list,
// `{}` a map, `string=x` a named string.

const SCALARS: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  micro: { type: 'string', format: 'date-time-micro' },
  duration: { type: 'string', format: 'duration' },
  quantity: { type: 'string', format: 'quantity' },
  intstr: { intOrString: true },
  raw: { type: 'object', format: 'raw-extension' },
  fields: { type: 'object', format: 'fields-v1' },
};

/** A kind by its Go type, such as `k8s.io.api.core.v1.ConfigMap`. */
export interface TypedKind {
  readonly groupVersion: string;
  readonly kind: string;
  readonly codec: TypedCodec;
}

/** The kinds of the facts, by `groupVersion kind`. */
export function readTypedKinds(): ReadonlyMap<string, TypedKind> {
  const facts = JSON.parse(readFileSync(new URL('./typed-kinds.json', import.meta.url), 'utf8')) as Record<
    string,
    string
  >;
  const builder = new SchemaBuilder(facts);
  const kinds = new Map<string, TypedKind>();
  for (const [name, fields] of Object.entries(facts)) {
    if (!/(^| )metadata:\.k8s\.io\.apimachinery\.pkg\.apis\.meta\.v1\.ObjectMeta( |$)/.test(fields)) continue;
    const [, group = '', version = '', kind = ''] = /^k8s\.io\.api\.(\w+)\.(\w+)\.(\w+)$/.exec(name) ?? [];
    if (!fields.startsWith('kind:')) continue;
    const groupVersion = group === 'core' ? version : `${GROUPS[group] ?? group}/${version}`;
    kinds.set(`${groupVersion} ${kind}`, { groupVersion, kind, codec: compileTyped(builder.struct(name)) });
  }
  return kinds;
}

const GROUPS: Readonly<Record<string, string>> = {
  rbac: 'rbac.authorization.k8s.io',
  coordination: 'coordination.k8s.io',
};

class SchemaBuilder {
  readonly #facts: Readonly<Record<string, string>>;
  readonly #built = new Map<string, Schema>();

  constructor(facts: Readonly<Record<string, string>>) {
    this.#facts = facts;
  }

  struct(name: string): Schema {
    const before = this.#built.get(name);
    if (before) return before;
    const properties: Record<string, Schema> = {};
    const schema: Schema = { type: 'object', typeName: name, properties };
    this.#built.set(name, schema);
    for (const fact of this.#facts[name]?.split(' ') ?? []) {
      const [, field = '', type = '', pointer, always] = /^(\w+):(.*?)(\?)?(!)?$/.exec(fact) ?? [];
      if (field === '') continue;
      properties[field] = {
        ...this.#type(type),
        ...(pointer && { optional: true }),
        ...(always && { alwaysPrinted: true }),
      };
    }
    return schema;
  }

  #type(text: string): Schema {
    if (text.startsWith('[]')) return { type: 'array', items: this.#type(text.slice(2)) };
    if (text.startsWith('{}')) return { type: 'object', additionalProperties: this.#type(text.slice(2)) };
    if (text.startsWith('.')) return this.struct(text.slice(1));
    if (text.startsWith('string=')) return { type: 'string', typeName: text.slice(7) };
    const scalar = SCALARS[text];
    if (!scalar) throw new Error(`typed-kinds.json: no type ${text}`);
    return scalar;
  }
}
