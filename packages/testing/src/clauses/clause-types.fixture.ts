import { customStatus, customStrategy } from '@ashlar/apis';
import type { Schema } from '@ashlar/core';
import type { ColumnDefinition, ResourceDefinition } from '@ashlar/registry';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const customObject = object({
  apiVersion: text,
  kind: text,
  metadata: { type: 'object' },
  spec: object({ size: { type: 'integer' }, color: text }),
  status: object({ ready: { type: 'boolean' } }),
});
const rules = { hasStatus: true, validate: () => [], validateUpdate: () => [] };

function customType(
  kind: string,
  parts: Partial<ResourceDefinition> & { readonly columns?: readonly ColumnDefinition[] },
): ResourceDefinition {
  const { columns, ...rest } = parts;
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
        schema: customObject,
        subresources: [customStatus(rules)],
        ...(columns && { columns }),
      },
    ],
    strategy: customStrategy(rules),
    ...rest,
  };
}

/** Objects in namespaces, with a status of their own and a column. */
export const widgets: ResourceDefinition = customType('Widget', {
  columns: [
    { name: 'Name', type: 'string', format: 'name', cell: ({ metadata }) => metadata.name ?? '' },
    { name: 'Size', type: 'integer', cell: ({ spec }) => (spec as { size?: number } | undefined)?.size ?? 0 },
  ],
});

/** Objects of the whole cluster, without columns of their own. */
export const gadgets: ResourceDefinition = customType('Gadget', { scope: 'Cluster' });

/** A virtual type: what is posted is answered, nothing is kept. */
export const checks: ResourceDefinition = customType('Check', {
  scope: 'Cluster',
  storage: { create: (_context, submitted) => ({ ...submitted, status: { ready: true } }) },
});
