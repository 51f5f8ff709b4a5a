import type { NamedTable } from './table-log.ts';

/** Statements over the rows of a table; rows are passed and returned as JSON. */
export interface RowStatements {
  readonly list: string;
  /** Rows of the names $2 and namespaces $3. */
  readonly some: string;
  /** Adds or replaces rows $1. */
  readonly put: string;
  /** Removes those of the names $1 and namespaces $2. */
  readonly remove: string;
  /** Keeps metadata $4 of names $2 and namespaces $3 of relation $1. */
  readonly keep: string;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** @param columns those of the spec */
export function rowStatements(table: NamedTable, columns: readonly string[], schema: string): RowStatements {
  const name = quoted(table.name);
  const namespace = table.namespace === undefined ? undefined : quoted(table.namespace);
  const key = namespace === undefined ? [name] : [namespace, name];
  const all = [...key, ...columns.map(quoted)];
  const names = (alias: string): string => `${alias}.${name}::text`;
  const namespaces = (alias: string): string =>
    namespace === undefined ? "''" : `${alias}.${namespace}::text`;
  const metadata = `LEFT JOIN "${schema}".row_metadata m
    ON m.relation = $1 AND m.name = ${names('t')} AND m.namespace = ${namespaces('t')}`;
  const select = `SELECT ${names('t')}, ${namespaces('t')}, to_jsonb(t), m.metadata FROM`;
  // values of the columns' types, whose index finds them
  const inNamespace =
    namespace === undefined ? '' : ` AND t.${namespace} = k.namespace::${table.types.namespace}`;
  const matchesKey = `t.${name} = k.name::${table.types.name}${inNamespace}`;
  const keysFrom = (first: number): string =>
    `unnest($${first}::text[], $${first + 1}::text[]) k(name, namespace)`;
  const changed = columns.map((column) => `${quoted(column)} = EXCLUDED.${quoted(column)}`);
  const conflict = changed.length > 0 ? `UPDATE SET ${changed.join()}` : 'NOTHING';
  return {
    list: `${select} ${table.sql} t ${metadata}`,
    some: `${select} ${keysFrom(2)} JOIN ${table.sql} t ON ${matchesKey} ${metadata}`,
    put: `INSERT INTO ${table.sql} (${all.join()})
      SELECT ${all.map((column) => `r.${column}`).join()} FROM jsonb_populate_recordset(NULL::${table.sql}, $1) r
      ON CONFLICT (${key.join()}) DO ${conflict}`,
    remove: `DELETE FROM ${table.sql} t USING ${keysFrom(1)} WHERE ${matchesKey}`,
    keep: `INSERT INTO "${schema}".row_metadata (relation, name, namespace, metadata)
      SELECT $1, k.* FROM unnest($2::text[], $3::text[], $4::jsonb[]) k
      ON CONFLICT (relation, namespace, name) DO UPDATE SET metadata = EXCLUDED.metadata`,
  };
}
