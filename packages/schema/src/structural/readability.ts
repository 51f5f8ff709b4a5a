import type { SchemaDocument } from '../convert/schema-document.ts';

/** Whether a schema has a shape: unsupported keywords hide it. */
export const isReadable = (document: SchemaDocument): boolean => unreadableKeyword(document) === undefined;

/** The keyword that hides the shape of a schema, if any; no other check reports `$schema`. */
export function unreadableKeyword(document: SchemaDocument): string | undefined {
  const own = document.isPlain ? undefined : ownUnreadable(document);
  if (own !== undefined) return own;
  const items = document.schema('items');
  const inItems = items && unreadableKeyword(items);
  if (inItems !== undefined) return inItems;
  for (const part of document.named('properties').values()) {
    const inside = unreadableKeyword(part);
    if (inside !== undefined) return inside;
  }
  return document.isPlain ? undefined : unreadableInRareParts(document);
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

function ownUnreadable(document: SchemaDocument): string | undefined {
  const own = OPAQUE.find((keyword) => isOpaque(document, keyword));
  if (own !== undefined) return own;
  const isRefused = document.json[document.extension('preserve-unknown-fields')] === false;
  return isRefused ? 'preserve-unknown-fields' : undefined;
}

function isOpaque(document: SchemaDocument, keyword: string): boolean {
  const value = document.json[keyword];
  if (value === undefined || value === null) return false;
  if (keyword === 'items') return Array.isArray(value) && value.length > 0;
  if (keyword === 'additionalItems') return true;
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && Object.keys(value).length > 0;
}

/** Parts that simple schemas do not have. */
function unreadableInRareParts(document: SchemaDocument): string | undefined {
  const single = ['not', 'additionalProperties'].map((keyword) => document.schema(keyword));
  const several = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => document.schemas(keyword));
  for (const part of [...single, ...several]) {
    const inside = part && unreadableKeyword(part);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
