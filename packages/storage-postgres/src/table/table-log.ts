import type { Database } from '../database.ts';
import { lockOf } from '../open-schema.ts';

/** How long changes are noted: whoever was disconnected for longer lists the table. */
const NOTED_FOR = "interval '1 day'";

/** A table of the host: quoted, and as its trigger and log name it. */
export interface NamedTable {
  readonly sql: string;
  /** Such as `public.books`. */
  readonly text: string;
  /** Columns of the names and namespaces of objects. */
  readonly name: string;
  readonly namespace: string | undefined;
  /** Types of these columns, such as `text`. */
  readonly types: { readonly name: string; readonly namespace: string };
}

/**
 * What is made beside the tables of the host: a log of the rows that change, by triggers, whoever changes them; and the metadata that rows
 * have no columns for. A change is noted with its transaction, since numbers of a sequence become visible out of order.
 */
const tables = (schema: string, channel: string): string => `
CREATE TABLE IF NOT EXISTS ${schema}.row_changes (
  relation text NOT NULL,
  transaction bigint NOT NULL DEFAULT txid_current(),
  -- absent if any row may have changed
  name text,
  namespace text,
  made timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS row_changes_in_order ON ${schema}.row_changes (relation, transaction);
CREATE INDEX IF NOT EXISTS row_changes_by_age ON ${schema}.row_changes (relation, made);
CREATE TABLE IF NOT EXISTS ${schema}.row_metadata (
  relation text NOT NULL,
  namespace text NOT NULL,
  name text NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (relation, namespace, name)
);
CREATE OR REPLACE FUNCTION ${schema}.note_row_change() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $note$
DECLARE
  source text := TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME;
  before jsonb;
  after jsonb;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO ${schema}.row_changes (relation) VALUES (source);
    DELETE FROM ${schema}.row_metadata m WHERE m.relation = source;
  ELSE
    IF TG_OP <> 'INSERT' THEN before := to_jsonb(OLD); END IF;
    IF TG_OP <> 'DELETE' THEN after := to_jsonb(NEW); END IF;
    IF before IS NOT NULL AND (after IS NULL OR before->>TG_ARGV[0] <> after->>TG_ARGV[0]
      OR before->>TG_ARGV[1] <> after->>TG_ARGV[1]) THEN
      INSERT INTO ${schema}.row_changes (relation, name, namespace)
        VALUES (source, before->>TG_ARGV[0], coalesce(before->>TG_ARGV[1], ''));
      DELETE FROM ${schema}.row_metadata m WHERE m.relation = source
        AND m.name = before->>TG_ARGV[0] AND m.namespace = coalesce(before->>TG_ARGV[1], '');
    END IF;
    IF after IS NOT NULL THEN
      INSERT INTO ${schema}.row_changes (relation, name, namespace)
        VALUES (source, after->>TG_ARGV[0], coalesce(after->>TG_ARGV[1], ''));
    END IF;
  END IF;
  PERFORM pg_notify('${channel}', source);
  RETURN NULL;
END
$note$;`;

const EXISTING_TRIGGER = `SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
  WHERE tgrelid = $1::regclass AND tgname = $2`;

/** Makes the log of a schema, and the triggers of a table, unless they are there. @throws errors of the database */
export async function openTableLog(database: Database, schema: string, table: NamedTable): Promise<void> {
  const quoted = `"${schema}"`;
  const columns = `${literal(table.name)}, ${literal(table.namespace ?? '')}`;
  await database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockOf(schema)]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted}`);
    await client.query(tables(quoted, channelOf(schema)));
    for (const [trigger, when] of [
      ['ashlar_note_rows', 'AFTER INSERT OR UPDATE OR DELETE'],
      ['ashlar_note_truncate', 'AFTER TRUNCATE'],
    ] as const) {
      const each = trigger === 'ashlar_note_rows' ? 'FOR EACH ROW' : 'FOR EACH STATEMENT';
      // the table belongs to an application, which may not let others change its triggers
      const { rows } = await client.query(EXISTING_TRIGGER, [table.sql, trigger]);
      const [existing] = rows as readonly { readonly definition: string }[];
      if (existing?.definition.endsWith(`.note_row_change(${columns})`)) continue;
      if (existing) await client.query(`DROP TRIGGER ${trigger} ON ${table.sql}`);
      await client.query(
        `CREATE TRIGGER ${trigger} ${when} ON ${table.sql} ${each} EXECUTE FUNCTION ${quoted}.note_row_change(${columns})`,
      );
    }
  });
}

/** Statements over the log. */
export interface LogStatements {
  /** The transactions whose changes are visible now. */
  readonly position: string;
  /** Changes of relation $1 by transactions that were not visible at position $2, with the position after them. */
  readonly changes: string;
  readonly forget: string;
}

export const logStatements = (schema: string): LogStatements => ({
  position: 'SELECT txid_current_snapshot()::text',
  changes: `SELECT DISTINCT txid_current_snapshot()::text, c.name, c.namespace, c.transaction IS NOT NULL
    FROM (SELECT 1) one LEFT JOIN "${schema}".row_changes c ON c.relation = $1 AND c.transaction >= txid_snapshot_xmin($2::txid_snapshot)
      AND NOT txid_visible_in_snapshot(c.transaction, $2::txid_snapshot)`,
  forget: `DELETE FROM "${schema}".row_changes WHERE relation = $1 AND made < clock_timestamp() - ${NOTED_FOR}`,
});

export const channelOf = (schema: string): string => `${schema}_rows`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
