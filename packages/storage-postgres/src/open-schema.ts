import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import { PostgresStoreError } from './postgres-store-error.ts';
import { FORMAT, MIGRATIONS } from './store-schema.ts';

/** Creates the tables of a store in a schema, or brings them to the newest format. Servers that start together wait for each other. */
export async function openSchema(database: Database, schema: string): Promise<void> {
  const quoted = `"${schema}"`;
  await database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockOf(schema)]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted}`);
    const tables = await client.query('SELECT to_regclass($1) AS format, to_regclass($2) AS changes', [
      ...[`${quoted}.format`, `${quoted}.changes`],
    ]);
    const { format, changes } = tables.rows[0] as { format: string | null; changes: string | null };
    if (format === null && changes !== null)
      throw new PostgresStoreError(
        'foreign',
        `the schema ${schema} has a table "changes" that is not that of a store`,
      );
    if (format === null) await client.query(`CREATE TABLE ${quoted}.format (version int NOT NULL)`);
    const { rows } = await client.query(`SELECT version FROM ${quoted}.format`);
    const version = (rows[0] as { version: number } | undefined)?.version ?? 0;
    requireFormat(schema, version);
    if (version === FORMAT) return;
    for (const migrate of MIGRATIONS.slice(version)) await client.query(migrate(quoted));
    await client.query(`DELETE FROM ${quoted}.format`);
    await client.query(`INSERT INTO ${quoted}.format VALUES ($1)`, [FORMAT]);
  });
}

/** @throws PostgresStoreError if a newer version has made, or migrated, the tables */
export function requireFormat(schema: string, version: number): void {
  if (version > FORMAT)
    throw new PostgresStoreError(
      'newer-format',
      `the tables of the schema ${schema} have format ${version}; this version reads formats up to ${FORMAT}`,
    );
}

/** A number for the advisory lock of a schema. */
export const lockOf = (schema: string): string =>
  createHash('sha256').update(`ashlar ${schema}`).digest().readBigInt64BE().toString();
