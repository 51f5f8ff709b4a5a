import type { SchemaDocument } from './schema-document.ts';

/** Whether a schema has a shape at all: keywords that are not supported hide it. */
export const isReadable = (document: SchemaDocument): boolean => unreadable(document) === undefined;

/** Whether the one thing that keeps a schema from having a shape is `$schema`, which no other check tells of. */
export const namesSchema = (document: SchemaDocument): boolean => unreadable(document) === '$schema';

function unreadable(document: SchemaDocument): string | undefined {
  const own = OPAQUE.find((keyword) => isOpaque(document, keyword));
  if (own) return own;
  if (document.json[document.extension('preserve-unknown-fields')] === false)
    return 'preserve-unknown-fields';
  for (const part of partsOf(document)) {
    const inside = unreadable(part);
    if (inside) return inside;
  }
  return undefined;
}

const OPAQUE = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'items',
];

function isOpaque(document: SchemaDocument, keyword: string): boolean {
  const value = document.json[keyword];
  if (value === undefined || value === null) return false;
  if (keyword === 'items') return Array.isArray(value) && value.length > 0;
  if (keyword === 'additionalItems') return true;
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && Object.keys(value).length > 0;
}

function partsOf(document: SchemaDocument): readonly SchemaDocument[] {
  const single = ['not', 'items', 'additionalProperties'].map((keyword) => document.schema(keyword));
  return [
    ...single.filter((part) => part !== undefined),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => document.schemas(keyword)),
    ...document.named('properties').values(),
  ];
}
