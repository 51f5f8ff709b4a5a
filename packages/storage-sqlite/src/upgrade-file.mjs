// @ts-check
// Used by the writer's thread, hence plain JavaScript: see worker.mjs.
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Statements that turn each format into the next one, in order: the first turns format 0 into format 1. A new format is added at the end, and
 * the tables of a new file are changed with it.
 * @type {readonly string[]}
 */
const STEPS = [
  // leases: before them every object stayed until it was deleted
  'ALTER TABLE changes ADD COLUMN deadline REAL',
];

/** The newest format. */
export const FORMAT = STEPS.length;

/**
 * Upgrades a file of an older format in one transaction, after its content was copied to another file. If anything fails, the file is as it was.
 * @param {import('libsql').Database} database with its lock held
 * @param {string} file
 * @param {number} format the format of the file
 * @returns {string} the path of the copy
 */
export function upgradeFile(database, file, format) {
  const copy = backUp(database, file, format);
  const steps = STEPS.slice(format).join(';\n');
  try {
    database.exec(`BEGIN EXCLUSIVE;\n${steps};\nPRAGMA user_version = ${FORMAT};\nCOMMIT`);
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
  return copy;
}

/**
 * Writes a complete copy, readable by its owner only, which appears under its name when it is durable.
 * @param {import('libsql').Database} database
 * @param {string} file
 * @param {number} format
 */
function backUp(database, file, format) {
  const copy = `${file}.format-${format}`;
  const unfinished = `${copy}.tmp`;
  rmSync(unfinished, { force: true });
  closeSync(openSync(unfinished, 'wx', 0o600));
  database.prepare('VACUUM INTO ?').run(unfinished);
  synchronize(unfinished);
  renameSync(unfinished, copy);
  synchronize(dirname(copy));
  return copy;
}

/** @param {string} path */
function synchronize(path) {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
