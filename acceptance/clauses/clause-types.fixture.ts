import { customStatus, customStrategy } from '@ashlar/apis';
import type { Schema } from '@ashlar/core';
import type { ColumnDefinition, ResourceDefinition } from '@ashlar/registry';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const port = object({ port: { type: 'integer' }, name: text });
const pair = object({ first: text, second: text });

/** A spec with a field for each way in which lists, maps and structs are merged and owned. */
export const spec: Record<string, Schema> = {
  size: { type: 'integer' },
  color: text,
  steps: { type: 'array', items: text },
  whole: { type: 'array', items: text, listType: 'atomic' },
  tags: { type: 'array', items: text, listType: 'set' },
  ports: { type: 'array', items: port, listType: 'map', listMapKeys: ['port'] },
  patched: { type: 'array', items: port, patchStrategy: 'merge', patchMergeKey: 'port' },
  options: { type: 'object', additionalProperties: text },
  fixed: { type: 'object', additionalProperties: text, mapType: 'atomic' },
  pair,
  bound: { ...pair, mapType: 'atomic' },
};

const rules = { hasStatus: true, validate: () => [], validateUpdate: () => [] };

interface Parts extends Partial<ResourceDefinition> {
  readonly columns?: readonly ColumnDefinition[];
  readonly properties?: Record<string, Schema>;
}

/** A type of the group `example.com`, which is validated only by decoding. */
export function customType(kind: string, parts: Parts): ResourceDefinition {
  const { columns, properties = spec, ...rest } = parts;
  const singular = kind.toLowerCase();
  return {
    group: 'example.com',
    names: { plural: `${singular}s`, singular, kind, listKind: `${kind}List` },
    scope: 'Namespaced',
    dialect: 'custom',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: schemaOf(properties),
        subresources: [customStatus(rules)],
        ...(columns && { columns }),
      },
    ],
    strategy: customStrategy(rules),
    ...rest,
  };
}

const schemaOf = (properties: Record<string, Schema>): Schema =>
  object({
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: object(properties),
    status: object({ ready: { type: 'boolean' } }),
  });

/** Namespaced objects with a status subresource and a column. */
export const widgets: ResourceDefinition = customType('Widget', {
  columns: [
    { name: 'Name', type: 'string', format: 'name', cell: ({ metadata }) => metadata.name ?? '' },
    { name: 'Size', type: 'integer', cell: ({ spec }) => (spec as { size?: number } | undefined)?.size ?? 0 },
  ],
});

/** Cluster-scoped objects, without columns of their own. */
export const gadgets: ResourceDefinition = customType('Gadget', { scope: 'Cluster' });

/** A virtual type: posted objects are returned, nothing is stored. */
export const checks: ResourceDefinition = customType('Check', {
  scope: 'Cluster',
  storage: { create: (_context, submitted) => ({ ...submitted, status: { ready: true } }) },
});
