// Runs every growth bench (`bench/*-growth.ts`, `bench/*-costs.ts`) in sequence; exits with 1 if one does.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Garbage is collected often: with the usual size of the young generation nothing is while a quarter of a document is read, and much
 * while all of it is, so that what costs twice as much seems to cost three times as much.
 */
const COLLECTED_OFTEN = '--max-semi-space-size=1';

const files = readdirSync(import.meta.dirname).filter((file) => /-(growth|costs)\.ts$/.test(file));
for (const file of files) {
  console.log(`\n${file}`);
  const words = [...process.execArgv, COLLECTED_OFTEN, join(import.meta.dirname, file)];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
if (files.length === 0) process.exitCode = 1;
