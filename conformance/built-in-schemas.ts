import { readFileSync } from 'node:fs';
import type { Schema } from '@ashlar/core';

// built-in-schemas.jsonl is written by generate-built-in-schemas.mjs.

interface NamedSchema extends Omit<Schema, 'properties' | 'items' | 'additionalProperties'> {
  readonly name?: string;
  readonly kind?: string;
  readonly ref?: string;
  readonly properties?: Readonly<Record<string, NamedSchema>>;
  readonly items?: NamedSchema;
  readonly additionalProperties?: NamedSchema;
}

type MutableSchema = { -readonly [K in keyof Schema]: Schema[K] };

const types: Map<string, NamedSchema> = new Map();
const kinds: Map<string, string> = new Map();
const resolved: Map<string, Schema> = new Map();

function load(): void {
  const text = readFileSync(new URL('./built-in-schemas.jsonl', import.meta.url), 'utf8');
  for (const line of text.trimEnd().split('\n')) {
    const type = JSON.parse(line) as NamedSchema & { readonly name: string };
    types.set(type.name, type);
    if (type.kind) kinds.set(type.kind, type.name);
  }
}

/** The published schema of a built-in kind, `apps/v1 Deployment` or `v1 Pod`: shapes, merge strategies and list types. */
export function builtInSchema(kind: string): Schema {
  if (types.size === 0) load();
  const name = kinds.get(kind);
  if (name === undefined)
    throw new Error(`no schema of ${kind}: write it with generate-built-in-schemas.mjs`);
  return resolveType(name);
}

/** Types may be recursive, so a schema is cached before it is filled. */
function resolveType(name: string): Schema {
  const known = resolved.get(name);
  if (known) return known;
  const schema: MutableSchema = { typeName: name };
  resolved.set(name, schema);
  Object.assign(schema, resolve(types.get(name) ?? {}));
  return schema;
}

function resolve(source: NamedSchema): Schema {
  const { name: _name, kind: _kind, ref, properties, items, additionalProperties, ...rest } = source;
  return {
    ...(ref !== undefined && resolveType(ref)),
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, resolve(field)])),
    }),
    ...(items && { items: resolve(items) }),
    ...(additionalProperties && { additionalProperties: resolve(additionalProperties) }),
  };
}
