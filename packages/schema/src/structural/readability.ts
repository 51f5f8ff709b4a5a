import { runAtOnce, type Steps } from '@ashlar/core';
import type { SchemaDocument } from '../convert/schema-document.ts';

/** Whether a schema has a shape: unsupported keywords hide it. */
export const isReadable = (document: SchemaDocument): boolean =>
  runAtOnce(unreadableKeywordSteps(document)) === undefined;

/** Schemas between pauses, less one. */
const STRIDE = 255;

/** The keyword that hides the shape of a schema, if any; no other check reports `$schema`. */
export function* unreadableKeywordSteps(document: SchemaDocument): Steps<string | undefined> {
  const pending = [document];
  let count = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const own = next.isPlain ? undefined : ownUnreadable(next);
    if (own !== undefined) return own;
    const parts = partsOf(next);
    for (let i = parts.length - 1; i >= 0; i--) pending.push(parts[i] as SchemaDocument);
    if ((count++ & STRIDE) === STRIDE) yield;
  }
  return undefined;
}

function partsOf(document: SchemaDocument): SchemaDocument[] {
  const items = document.schema('items');
  const parts = items ? [items] : [];
  for (const [, part] of document.branches()) parts.push(part);
  if (!document.isPlain) for (const part of rareParts(document)) parts.push(part);
  return parts;
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
function rareParts(document: SchemaDocument): readonly SchemaDocument[] {
  const single = ['not', 'additionalProperties'].map((keyword) => document.schema(keyword));
  const several = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => document.schemas(keyword));
  return [...single.filter((part) => part !== undefined), ...several];
}
