import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createSteppedClock } from '@ashlar/core/testing';
import { afterAll, expect, test } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';

const directory = mkdtempSync(join(tmpdir(), 'ashlar-limits-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs the writer with a file size limit in KiB: writing beyond is an I/O error. */
function writeWithin(kibibytes: number, file: string): Record<string, unknown> {
  const require = createRequire(import.meta.url);
  const source = ['--conditions=@ashlar/source', '--import', pathToFileURL(require.resolve('tsx')).href];
  const script = fileURLToPath(new URL('./fault-writer.mjs', import.meta.url));
  const words = [process.execPath, ...(process.env.ASHLAR_BUILT ? [] : source), script, file];
  const limited = `ulimit -f ${kibibytes}; exec "$0" "$@"`;
  return JSON.parse(execFileSync('bash', ['-c', limited, ...words], { encoding: 'utf8' }));
}

test('a store continues after an I/O error, and a restart finds the acknowledged writes', async () => {
  const file = join(directory, 'limited.db');
  const {
    revisions,
    large,
    told: received,
    lost,
  } = writeWithin(1500, file) as {
    revisions: number[];
    large: number;
    told: string[];
    lost: string[];
  };
  expect(large).toBeGreaterThan(5);
  expect(revisions).toEqual(revisions.map((_, i) => i + 2));
  expect(lost).toEqual(['rejected', 'rejected']);
  expect(received).toEqual([`failed: the store ${file} has failed: disk I/O error`, 'well']);
  await using store = await createSqliteStore({ file, clock: createSteppedClock(Date.now()) });
  expect(store.currentRevision()).toBe(revisions.at(-1));
  const keys = (await store.range('')).entries.map(({ key }) => key);
  expect(keys.filter((key) => key.startsWith('/large/'))).toHaveLength(large);
  expect(keys.filter((key) => !key.startsWith('/large/'))).toEqual(['/small/0', '/small/1', '/small/2']);
});
