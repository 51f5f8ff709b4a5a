import { resolved } from './fields-of.ts';
import type { Schema, Schemas } from './served-kinds.ts';

/** How much of an object is there: what is required and what identifies it, or every member to a depth. */
type Extent = 'least' | 'all';

const DEEPEST = 3;

/** A value of a type. @param i number that makes it another than its neighbours */
export function sampleOf(schema: Schema, schemas: Schemas, i: number, extent: Extent, depth = 0): unknown {
  const type = resolved(schema, schemas);
  if (type.properties) return objectOf(type, schemas, i, extent, depth);
  if (type.type === 'array')
    return type.items && depth < DEEPEST ? [sampleOf(type.items, schemas, i, extent, depth + 1)] : [];
  if (type.type === 'object')
    return typeof type.additionalProperties === 'object'
      ? { [`k${i}`]: sampleOf(type.additionalProperties, schemas, i, extent, depth + 1) }
      : {};
  if (type.type === 'integer' || type.type === 'number') return 1 + (i % 60_000);
  if (type.type === 'boolean') return true;
  return textOf(type, i);
}

function objectOf(type: Schema, schemas: Schemas, i: number, extent: Extent, depth: number): unknown {
  const members = Object.entries(type.properties ?? {}).filter(([name]) =>
    isThere(type, name, extent, depth),
  );
  return Object.fromEntries(members.map(([name, of]) => [name, sampleOf(of, schemas, i, extent, depth + 1)]));
}

/** Names by which items of lists are told apart. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  'name',
  'key',
  'ip',
  'type',
  'operator',
  'uid',
  'kind',
  'path',
  'mountPath',
  'topologyKey',
  'driver',
]);

const isThere = ({ required }: Schema, name: string, extent: Extent, depth: number): boolean =>
  required?.includes(name) ||
  (depth < DEEPEST && (extent === 'all' || (depth === 0 && IDENTIFYING.has(name))));

function textOf({ format, name }: Schema & { readonly name?: string }, i: number): string {
  if (format === 'date-time') return '2024-01-01T00:00:00Z';
  if (format === 'byte') return 'YWFh';
  if (name?.endsWith('Quantity')) return String(i);
  return `a${i}`;
}
