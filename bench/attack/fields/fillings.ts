import { resolved } from './fields-of.ts';
import { sampleOf } from './samples.ts';
import type { Schema, Schemas } from './served-kinds.ts';

/** A way to make a field long. */
export interface Filling {
  readonly name: string;
  /** JSON of at most a number of bytes. */
  text(bytes: number): string;
}

/** Below what the server accepts: values of a document, and members of an object. */
const MOST_VALUES = 245_000;
const MOST_MEMBERS = 31_000;

/** What is repeated in texts. */
const PIECES: readonly string[] = ['a', '1', ',', '/', '.', '-', ' ', '(', '\\n', 'a=b,', 'a.', '10.0.0.0,'];

const texts: readonly Filling[] = PIECES.map((piece) => ({
  name: `text of ${piece}`,
  text: (bytes) => `"${piece.repeat(bytes / piece.length)}"`,
}));

/** The ways to fill a field of a schema. */
export function fillingsOf(schema: Schema, schemas: Schemas): readonly Filling[] {
  const type = resolved(schema, schemas);
  if (type.type === 'array') return listsOf(type.items ?? {}, schemas);
  if (type.type === 'string' || type.format === 'int-or-string') return texts;
  const { additionalProperties: values } = type;
  if (typeof values === 'object') return mapsOf(values, schemas);
  return [...mapsOf({ type: 'string' }, schemas), ...listsOf({}, schemas)];
}

function listsOf(items: Schema, schemas: Schemas): readonly Filling[] {
  const { type } = resolved(items, schemas);
  const samples = (extent: 'least' | 'all') => (i: number) => sampleOf(items, schemas, i, extent);
  return [
    list('items', samples('least')),
    list('equal items', () => sampleOf(items, schemas, 1, 'least')),
    ...(type === 'object' ? [list('empty items', () => ({})), list('whole items', samples('all'))] : []),
    ...(type === 'string' ? [list('invalid items', (i) => `-/ ${i}`), list('empty texts', () => '')] : []),
  ];
}

const list = (name: string, item: (i: number) => unknown): Filling => ({
  name,
  text: (bytes) => `[${joined(bytes, MOST_VALUES / valuesIn(item(0)), (i) => JSON.stringify(item(i)))}]`,
});

function mapsOf(of: Schema, schemas: Schemas): readonly Filling[] {
  const value = (i: number): unknown => sampleOf(of, schemas, i, 'least');
  const most = Math.min(MOST_MEMBERS, MOST_VALUES / valuesIn(value(0)));
  const map = (name: string, key: (i: number) => string): Filling => ({
    name,
    text: (bytes) => `{${joined(bytes, most, (i) => `"${key(i)}":${JSON.stringify(value(i))}`)}}`,
  });
  return [
    map('keys', (i) => `k${i}`),
    map('qualified keys', (i) => `e.io/k${i}`),
    map('invalid keys', (i) => `-/ ${i}`),
  ];
}

/** How many values are in one, with itself. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesIn(member), 1);
}

function joined(bytes: number, most: number, make: (i: number) => string): string {
  const items: string[] = [];
  for (let length = 0, i = 0; i < most; i++) {
    const item = make(i);
    length += item.length + 1;
    if (length > bytes) break;
    items.push(item);
  }
  return items.join();
}
