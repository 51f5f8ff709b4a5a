/** The format that this version writes: the number of migrations. */
export const FORMAT = 2;

/**
 * Statements that make format `n` of format `n - 1`, for a schema whose name is quoted.
 *
 * `changes` is the state: the newest row of a key is its value, the rows in order of revisions are the history. `state` has one row,
 * which each write locks: so revisions have no gaps, and commits have their order.
 */
export const MIGRATIONS: readonly ((schema: string) => string)[] = [
  (schema) => `
CREATE TABLE ${schema}.state (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  revision bigint NOT NULL,
  compacted bigint NOT NULL
);
INSERT INTO ${schema}.state (revision, compacted) VALUES (1, 1);
CREATE TABLE ${schema}.changes (
  revision bigint PRIMARY KEY,
  key text COLLATE "C" NOT NULL,
  value bytea,
  previous bigint,
  deadline timestamptz
);
CREATE UNIQUE INDEX changes_by_key ON ${schema}.changes (key, revision DESC);
CREATE INDEX changes_by_deadline ON ${schema}.changes (deadline) WHERE deadline IS NOT NULL;
CREATE FUNCTION ${schema}.write_changes(
  keys text[], contents bytea, lengths int[], conditions bigint[], seconds float8[], channel text
) RETURNS TABLE (written boolean, at_revision bigint, current_revision bigint, current_value bytea)
LANGUAGE plpgsql AS $write$
DECLARE
  newest bigint;
  first bigint;
  position int := 1;
  content bytea;
  found_value boolean;
BEGIN
  SELECT s.revision INTO newest FROM ${schema}.state s FOR UPDATE;
  first := newest;
  FOR i IN 1..array_length(keys, 1) LOOP
    content := NULL;
    IF lengths[i] >= 0 THEN
      content := substring(contents FROM position FOR lengths[i]);
      position := position + lengths[i];
    END IF;
    current_revision := NULL;
    current_value := NULL;
    SELECT c.revision, c.value IS NOT NULL INTO current_revision, found_value
      FROM ${schema}.changes c WHERE c.key = keys[i] ORDER BY c.revision DESC LIMIT 1;
    IF NOT coalesce(found_value, false) THEN current_revision := NULL; END IF;
    written := (conditions[i] IS NULL OR conditions[i] = coalesce(current_revision, 0))
      AND (content IS NOT NULL OR current_revision IS NOT NULL);
    IF written THEN
      newest := newest + 1;
      INSERT INTO ${schema}.changes (revision, key, value, previous, deadline) VALUES (
        newest, keys[i], content, current_revision,
        clock_timestamp() + make_interval(secs => seconds[i])
      );
    ELSIF current_revision IS NOT NULL THEN
      SELECT c.value INTO current_value FROM ${schema}.changes c WHERE c.revision = current_revision;
    END IF;
    at_revision := newest;
    RETURN NEXT;
  END LOOP;
  IF newest > first THEN
    UPDATE ${schema}.state SET revision = newest;
    PERFORM pg_notify(channel, newest::text);
  END IF;
END
$write$;
`,
  // returns what was stored before, so that whoever writes need not read its changes; servers of format 1 may go on with the function above
  (schema) => `
CREATE FUNCTION ${schema}.write_batch(
  keys text[], contents bytea, lengths int[], conditions bigint[], seconds float8[], channel text, sender text
) RETURNS TABLE (written boolean, at_revision bigint, stored_revision bigint, stored_value bytea)
LANGUAGE plpgsql AS $write$
DECLARE
  newest bigint;
  first bigint;
  position int := 1;
  content bytea;
BEGIN
  SELECT s.revision INTO newest FROM ${schema}.state s FOR UPDATE;
  first := newest;
  FOR i IN 1..array_length(keys, 1) LOOP
    content := NULL;
    IF lengths[i] >= 0 THEN
      content := substring(contents FROM position FOR lengths[i]);
      position := position + lengths[i];
    END IF;
    SELECT c.revision, c.value INTO stored_revision, stored_value
      FROM ${schema}.changes c WHERE c.key = keys[i] ORDER BY c.revision DESC LIMIT 1;
    IF stored_value IS NULL THEN stored_revision := NULL; END IF;
    written := (conditions[i] IS NULL OR conditions[i] = coalesce(stored_revision, 0))
      AND (content IS NOT NULL OR stored_revision IS NOT NULL);
    IF written THEN
      newest := newest + 1;
      INSERT INTO ${schema}.changes (revision, key, value, previous, deadline) VALUES (
        newest, keys[i], content, stored_revision,
        clock_timestamp() + make_interval(secs => seconds[i])
      );
    END IF;
    at_revision := newest;
    RETURN NEXT;
  END LOOP;
  IF newest > first THEN
    UPDATE ${schema}.state SET revision = newest;
    PERFORM pg_notify(channel, sender);
  END IF;
END
$write$;
`,
];
