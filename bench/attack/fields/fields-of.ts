import type { Schema, Schemas, ServedKind } from './served-kinds.ts';

/** A field of a kind. */
export interface Field {
  /** Members and indexes that lead to it. */
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
  /** The types that it and its container are members of, by which the same field of several kinds is known. */
  readonly place: string;
}

/** A schema without its references. */
export function resolved(schema: Schema, schemas: Schemas): Schema & { readonly name?: string } {
  const name = nameOf(schema);
  return name === undefined ? schema : { name, ...schemas[name] };
}

const nameOf = ({ $ref, allOf }: Schema): string | undefined =>
  ($ref ?? allOf?.[0]?.$ref)?.slice('#/components/schemas/'.length);

/**
 * The fields of a kind at every depth; a type within itself is not followed again.
 * @param isMeant default: those that can be as long as a body
 */
export function fieldsOf(
  { schema, schemas }: ServedKind,
  isMeant: (type: Schema) => boolean = isLong,
): readonly Field[] {
  const fields: Field[] = [];
  const visit = (
    at: Schema,
    path: Field['path'],
    places: readonly string[],
    names: readonly string[],
  ): void => {
    const type = resolved(at, schemas);
    if (type.name && names.includes(type.name)) return;
    const within = type.name ? [...names, type.name] : names;
    if (isMeant(type)) fields.push({ path, schema: at, place: placeOf(places) });
    for (const [member, of] of Object.entries(type.properties ?? {}))
      if (path.length > 0 || (member !== 'apiVersion' && member !== 'kind'))
        visit(of, [...path, member], [...places, `${type.name}.${member}`], within);
    if (type.items) visit(type.items, [...path, 0], places, within);
    if (typeof type.additionalProperties === 'object')
      visit(type.additionalProperties, [...path, 'a'], places, within);
  };
  visit(schema, [], [], []);
  return fields;
}

/** Lists, maps, texts and any values, but no objects of known members. */
const isLong = ({ type, format, properties }: Schema): boolean =>
  properties === undefined &&
  (type === undefined || ['array', 'object', 'string'].includes(type) || format === 'int-or-string');

/** Metadata are those of any kind, besides what kinds read of them. */
function placeOf(places: readonly string[]): string {
  const last = places.at(-1) ?? '';
  return last.includes('.meta.v1.') && !/\.(labels|annotations|match\w+)$/.test(last)
    ? last
    : places.slice(-2).join(' ');
}
