import type { Database } from '../database.ts';
import { PostgresStoreError } from '../postgres-store-error.ts';
import { quoted } from './row-statements.ts';
import type { NamedTable } from './table-log.ts';

/** The columns of a table that are not generated, each with the table's schema and name. */
const COLUMNS = `SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, NULL)
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.oid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum`;

type ColumnRow = readonly [schema: string, table: string, column: string, type: string];

/** How a table is described by its host. */
export interface TableDescription {
  readonly table: string;
  readonly name: string;
  readonly namespace?: string;
  readonly columns?: readonly string[];
}

/** Finds a table, and its columns of the spec. @throws PostgresStoreError if it, or one of the columns, is not there */
export async function describeTable(
  database: Database,
  { table, name, namespace, columns }: TableDescription,
): Promise<{ readonly named: NamedTable; readonly columns: readonly string[] }> {
  const found = await database.read<ColumnRow>(COLUMNS, [table.split('.').map(quoted).join('.')]);
  const [first] = found;
  if (!first) throw new PostgresStoreError('foreign', `there is no table ${table}`);
  const types = new Map(found.map(([, , column, type]) => [column, type]));
  const keys = namespace === undefined ? [name] : [name, namespace];
  const missing = [...keys, ...(columns ?? [])].find((column) => !types.has(column));
  if (missing !== undefined)
    throw new PostgresStoreError('foreign', `the table ${table} has no column "${missing}"`);
  const [schema, own] = first;
  const named = {
    sql: `${quoted(schema)}.${quoted(own)}`,
    text: `${schema}.${own}`,
    ...{ name, namespace },
    types: { name: types.get(name) ?? '', namespace: types.get(namespace ?? '') ?? '' },
  };
  return { named, columns: columns ?? [...types.keys()].filter((column) => !keys.includes(column)) };
}
