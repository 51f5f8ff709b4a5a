import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSteppedClock } from '@ashlar/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import type { FileUpgrade } from './protocol.ts';

/** "ASHL", the application id of files. */
const APPLICATION_ID = 0x4153484c;
const ROWS = 500;

/** Runs SQL in a process of its own: the library releases a file only when its statements are collected. */
function query(file: string, sql: string): number {
  const script = `
    const database = new (require(process.argv[1]))(process.argv[2]);
    const [last, ...rest] = process.argv[3].split(';\\n').reverse();
    for (const sql of rest.reverse()) database.exec(sql);
    const statement = database.prepare(last);
    console.log(statement.reader ? Object.values(statement.get())[0] : statement.run().changes);`;
  const library = createRequire(import.meta.url).resolve('libsql');
  return Number(execFileSync(process.execPath, ['-e', script, library, file, sql], { encoding: 'utf8' }));
}

/** Writes a file of format 0: before leases, changes had no deadline. */
function writeFormat0(file: string): void {
  query(
    file,
    [
      'PRAGMA journal_mode = WAL',
      'CREATE TABLE changes (revision INTEGER PRIMARY KEY, key BLOB NOT NULL, value BLOB, replaces INTEGER NOT NULL, time REAL NOT NULL)',
      'CREATE TABLE meta (trimmed INTEGER NOT NULL)',
      'INSERT INTO meta VALUES (1)',
      `PRAGMA application_id = ${APPLICATION_ID}`,
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1}) INSERT INTO changes SELECT i + 2, CAST('/a/' || i AS BLOB), CAST('value ' || i AS BLOB), 0, 0 FROM n`,
      `INSERT INTO changes VALUES (${ROWS + 2}, CAST('/a/0' AS BLOB), NULL, 2, 0)`,
    ].join(';\n'),
  );
}

describe('a file of an older format', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-upgrade-'));
    file = join(folder, 'state.db');
    writeFormat0(file);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = async (upgrades: FileUpgrade[] = []) => {
    const onUpgrade = (upgrade: FileUpgrade): void => void upgrades.push(upgrade);
    return createSqliteStore({ file, clock: createSteppedClock(1_700_000_000_000), onUpgrade });
  };

  it('is upgraded in place, with a copy of what it was', async () => {
    const upgrades: FileUpgrade[] = [];
    const copy = `${file}.format-0`;
    {
      await using store = await open(upgrades);
      expect(upgrades).toEqual([{ from: 0, to: 1, copy }]);
      expect((await store.range('/a/')).entries).toHaveLength(ROWS - 1);
      expect(new TextDecoder().decode((await store.get('/a/7'))?.value)).toBe('value 7');
      expect(store.currentRevision()).toBe(ROWS + 2);
      await store.put('/leased', new Uint8Array([1]), { leaseSeconds: 60 });
    }
    expect(query(file, 'SELECT count(*) FROM changes WHERE deadline IS NOT NULL')).toBe(1);
    expect(query(copy, 'PRAGMA user_version')).toBe(0);
    expect(query(copy, 'SELECT count(*) FROM changes')).toBe(ROWS + 1);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    await (await open(upgrades))[Symbol.asyncDispose]();
    expect(upgrades).toHaveLength(1);
  });

  it('stays as it is if no copy can be made, or a step fails', async () => {
    const before = query(file, 'SELECT count(*) FROM changes');
    query(file, 'ALTER TABLE changes ADD COLUMN deadline REAL');
    await expect(open()).rejects.toThrow('duplicate column name: deadline');
    expect([query(file, 'PRAGMA user_version'), query(file, 'SELECT count(*) FROM changes')]).toEqual([
      0,
      before,
    ]);
    rmSync(`${file}.format-0`);
    mkdirSync(`${file}.format-0`);
    await expect(open()).rejects.toThrow(/state\.db has failed: /);
    expect(query(file, 'PRAGMA user_version')).toBe(0);
  });

  it('is copied anew where an attempt before was cut off', async () => {
    writeFileSync(`${file}.format-0.tmp`, 'half a copy');
    await (await open())[Symbol.asyncDispose]();
    expect(existsSync(`${file}.format-0.tmp`)).toBe(false);
    expect(query(`${file}.format-0`, 'SELECT count(*) FROM changes')).toBe(ROWS + 1);
  });
});
