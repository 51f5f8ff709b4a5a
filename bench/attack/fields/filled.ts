import type { Field } from './fields-of.ts';
import { resolved } from './fields-of.ts';
import { sampleOf } from './samples.ts';
import type { Members } from './seeds.ts';
import type { Schema, Schemas } from './served-kinds.ts';

const MARK = '@filled@';

/** JSON of an object with a text at the place of a field. */
export function filled(seed: Members, root: Schema, schemas: Schemas, { path }: Field, text: string): string {
  const copy = structuredClone(seed);
  let at: Record<string | number, unknown> = copy;
  let schema = root;
  for (const [depth, member] of path.entries()) {
    schema = memberOf(schema, member, schemas);
    if (depth === path.length - 1) at[member] = MARK;
    else at = inside(at, member, schema, schemas);
  }
  const [before, after] = JSON.stringify(copy).split(`"${MARK}"`);
  return `${before}${text}${after}`;
}

function memberOf(schema: Schema, member: string | number, schemas: Schemas): Schema {
  const { properties, items, additionalProperties } = resolved(schema, schemas);
  if (typeof member === 'number') return items ?? {};
  return properties?.[member] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}

/** A member that is a container, and is made if it is not there. */
function inside(
  at: Record<string | number, unknown>,
  member: string | number,
  schema: Schema,
  schemas: Schemas,
): Record<string | number, unknown> {
  const present = at[member];
  if (typeof present === 'object' && present !== null) return present as Record<string, unknown>;
  const made = sampleOf(schema, schemas, 1, 'least') as Record<string, unknown>;
  at[member] = made;
  return made;
}
