/** The SQL of a store. Every statement reads one snapshot: revisions and rows fit together. */
export interface Statements {
  readonly channel: string;
  readonly get: string;
  readonly range: string;
  readonly countedRange: string;
  readonly write: string;
  readonly revision: string;
  readonly changes: string;
  readonly advanceCompaction: string;
  readonly removeCompacted: string;
  readonly expired: string;
  readonly check: string;
  readonly fill: string;
}

/** Rows that one statement of a compaction removes. */
const REMOVED_AT_ONCE = 10_000;

/** @param schema the quoted name */
export function createStatements(schema: string, channel: string): Statements {
  const state = `${schema}.state s`;
  // the newest rows of keys from $1 up to and excluding $2, at revision $3
  const newest = `SELECT DISTINCT ON (c.key) c.key, c.revision, c.value FROM ${schema}.changes c
    WHERE c.key >= $1 AND c.key < $2 AND c.revision <= $3 ORDER BY c.key, c.revision DESC`;
  const page = `LEFT JOIN LATERAL (SELECT n.* FROM (${newest}) n WHERE n.value IS NOT NULL ORDER BY n.key LIMIT $4) r ON true`;
  return {
    channel,
    get: `SELECT c.revision, c.value FROM ${schema}.changes c WHERE c.key = $1 ORDER BY c.revision DESC LIMIT 1`,
    range: `SELECT s.revision, s.compacted, r.key, r.revision, r.value, NULL FROM ${state} ${page} ORDER BY r.key`,
    countedRange: `SELECT s.revision, s.compacted, r.key, r.revision, r.value, t.total FROM ${state}
      CROSS JOIN LATERAL (SELECT count(*) AS total FROM (${newest}) n WHERE n.value IS NOT NULL) t ${page} ORDER BY r.key`,
    write: `SELECT written, at_revision, stored_revision, stored_value
      FROM ${schema}.write_batch($1, $2, $3, $4, $5, '${channel}', $6)`,
    revision: `SELECT s.revision, s.compacted FROM ${state}`,
    // changes of keys from $1 up to and excluding $2 after revision $3
    changes: `SELECT s.revision, s.compacted, c.revision, c.key, c.value, p.revision, p.value FROM ${state}
      LEFT JOIN LATERAL (SELECT * FROM ${schema}.changes n
        WHERE n.revision > $3 AND n.key >= $1 AND n.key < $2 ORDER BY n.revision LIMIT $4) c ON true
      LEFT JOIN ${schema}.changes p ON p.revision = c.previous ORDER BY c.revision`,
    advanceCompaction: `UPDATE ${schema}.state AS s SET compacted = $1 WHERE s.compacted < $1 AND s.revision >= $1`,
    removeCompacted: `DELETE FROM ${schema}.changes WHERE revision IN (
      SELECT c.revision FROM ${schema}.changes c WHERE c.revision <= $1 AND (c.value IS NULL OR EXISTS (
        SELECT FROM ${schema}.changes n WHERE n.key = c.key AND n.revision > c.revision AND n.revision <= $1
      )) LIMIT ${REMOVED_AT_ONCE}) RETURNING 1`,
    expired: `SELECT c.key, c.revision FROM ${schema}.changes c
      WHERE c.deadline <= clock_timestamp() AND c.value IS NOT NULL AND NOT EXISTS (
        SELECT FROM ${schema}.changes n WHERE n.key = c.key AND n.revision > c.revision
      ) ORDER BY c.deadline LIMIT 1000`,
    check: `SELECT current_setting('transaction_read_only')::boolean, (SELECT max(f.version) FROM ${schema}.format f)`,
    // needs room that the table may not have; to be rolled back
    fill: `INSERT INTO ${schema}.changes (revision, key, value)
      SELECT -n, '', decode(repeat(md5(n::text), 125), 'hex') FROM generate_series(1, 16) n`,
  };
}
