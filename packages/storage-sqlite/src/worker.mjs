// @ts-check The writer's thread. Plain JavaScript, since Node 20 loads no TypeScript into a worker: so one
// file serves tests and users.
import { closeSync, openSync, realpathSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import Database from 'libsql';
import { identityOf, sentenceOfSystemError } from './file-identity.mjs';
import { FORMAT, upgradeFile } from './upgrade-file.mjs';

/**
 * @typedef {import('./protocol.ts').ToWorker} ToWorker
 * @typedef {import('./protocol.ts').FromWorker} FromWorker
 * @typedef {import('./protocol.ts').Row} Row
 * @typedef {Extract<ToWorker, { kind: 'write' }>} WriteMessage
 */

/** "ASHL": the application id of the file. */
const APPLICATION_ID = 0x4153484c;

/** Numbers per change in a batch, see change-batch.ts. */
const NUMBERS = 6;

/** Size of one message when rows are loaded. */
const CHUNK_BYTES = 4 << 20;

/** Revisions trimmed with each transaction in addition to as many as it writes. */
const TRIM_AHEAD = 64;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
/** The first message: the thread may have been started ahead. @type {import('./protocol.ts').WorkerOptions} */
const { file, maxFileBytes } = await new Promise((resolve) => port.once('message', resolve));

/** @type {(message: FromWorker, transfer?: readonly ArrayBuffer[]) => void} */
const post = (message, transfer = []) => port.postMessage(message, transfer);

/** @type {import('libsql').Database} */
let database;
/** @type {ReturnType<typeof prepare>} */
let statements;
/** The log is trimmed up to here, and may be up to there. */
let trimmed = 1;
let trimTo = 1;
/** The newest acknowledged revision. */
let acknowledged = 0;
/** A transaction has failed, and the file may not contain exactly the acknowledged writes. */
let isUnsettled = false;
/** Identities of the database and its write-ahead log when they were opened. */
let databaseIdentity = '';
/** @type {string | undefined} */
let logIdentity;
let logFile = '';

try {
  open();
  load();
  port.on('message', work);
} catch (error) {
  if (database) database.close();
  report('refused', error);
}

function open() {
  const before = makeFile();
  database = connect();
  database.pragma('locking_mode = EXCLUSIVE');
  const version = number('user_version');
  const owner = number('application_id');
  const tables = /** @type {{ n: number }} */ (
    database.prepare('SELECT count(*) AS n FROM sqlite_master').get()
  ).n;
  if (tables > 0 && owner !== APPLICATION_ID) throw coded('FOREIGN', 'it belongs to another application');
  if (version > FORMAT) throw coded('FORMAT', `its format is ${version}, this version knows ${FORMAT}`);
  if (tables === 0) database.exec('PRAGMA page_size = 8192');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2000');
  if (maxFileBytes) database.exec(`PRAGMA max_page_count = ${Math.ceil(maxFileBytes / number('page_size'))}`);
  if (tables === 0) create();
  // Takes the lock that makes a second opener fail, even if nothing is written.
  database.exec('BEGIN EXCLUSIVE; COMMIT');
  if (tables > 0 && version < FORMAT)
    post({ kind: 'upgraded', from: version, to: FORMAT, copy: upgradeFile(database, file, version) });
  statements = prepare();
  databaseIdentity = before;
  logFile = `${realpathSync(file)}-wal`;
  logIdentity = identityOf(logFile);
  requireSameDatabase();
}

/**
 * Creates a missing file for its owner only: SQLite gives its log the same mode. An existing file is not
 * opened here, since closing it would release the locks that another store of this process holds on it.
 */
function makeFile() {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST')
      throw coded('CANTOPEN', sentenceOfSystemError(error));
  }
  return identityOf(file) ?? '';
}

/** The library has no code for a file that cannot be opened. */
function connect() {
  try {
    return new Database(file);
  } catch (error) {
    throw coded('CANTOPEN', /** @type {Error} */ (error).message);
  }
}

function create() {
  database.exec(`BEGIN EXCLUSIVE;
    CREATE TABLE changes (
      revision INTEGER PRIMARY KEY,
      key BLOB NOT NULL,
      value BLOB,
      replaces INTEGER NOT NULL,
      time REAL NOT NULL,
      deadline REAL
    );
    CREATE TABLE meta (trimmed INTEGER NOT NULL);
    INSERT INTO meta VALUES (1);
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${FORMAT};
    COMMIT`);
}

function prepare() {
  return {
    insert: database.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)'),
    dropReplaced: database.prepare(
      'DELETE FROM changes WHERE revision IN (SELECT replaces FROM changes WHERE revision > ? AND revision <= ?)',
    ),
    dropDeletes: database.prepare(
      'DELETE FROM changes WHERE revision > ? AND revision <= ? AND value IS NULL',
    ),
    trimmed: database.prepare('UPDATE meta SET trimmed = ?'),
    dropUnacknowledged: database.prepare('DELETE FROM changes WHERE revision > ?'),
    readTrimmed: database.prepare('SELECT trimmed FROM meta'),
  };
}

function readTrimmed() {
  return /** @type {{ trimmed: number }} */ (statements.readTrimmed.get()).trimmed;
}

/** Sends all rows in the order of revisions, in batches, then the start of the log. */
function load() {
  trimmed = readTrimmed();
  trimTo = trimmed;
  acknowledged = trimmed;
  const rows = database.prepare('SELECT * FROM changes ORDER BY revision').raw();
  /** @type {number[]} */
  let numbers = [];
  /** @type {Uint8Array[]} */
  let parts = [];
  let size = 0;
  const send = () => {
    const bytes = Buffer.allocUnsafeSlow(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    const packed = Float64Array.from(numbers);
    const message = {
      kind: /** @type {const} */ ('rows'),
      numbers: packed,
      bytes: new Uint8Array(bytes.buffer),
    };
    post(message, [packed.buffer, message.bytes.buffer]);
    [numbers, parts, size] = [[], [], 0];
  };
  for (const row of rows.iterate()) {
    const [revision, key, value, replaces, time, deadline] = /** @type {Row} */ (row);
    numbers.push(revision, key.length, value ? value.length : -1, replaces, time, deadline ?? Number.NaN);
    parts.push(key);
    if (value) parts.push(value);
    size += key.length + (value ? value.length : 0);
    acknowledged = Math.max(acknowledged, revision);
    if (size >= CHUNK_BYTES) send();
  }
  if (numbers.length > 0) send();
  post({ kind: 'loaded', trimmed });
}

/** @param {ToWorker} message */
function work(message) {
  if (message.kind === 'write') return write(message);
  if (message.kind === 'compact') return compact(message.revision);
  if (message.kind === 'check') return check();
  database.close();
  port.close();
}

/** @param {WriteMessage} batch */
function write(batch) {
  trimTo = Math.max(trimTo, batch.trimTo);
  try {
    settle();
    durably(() => trim(Math.min(trimTo, trimmed + insert(batch) + TRIM_AHEAD)));
    acknowledged = batch.numbers[batch.numbers.length - NUMBERS] ?? acknowledged;
    post({ kind: 'committed' });
  } catch (error) {
    report('failed', error);
    makeRoom();
  }
}

/** Failed writes cannot trim the log; without this a full file would stay full. */
function makeRoom() {
  try {
    settle();
  } catch {
    // the next write, or the next check, retries and reports it
  }
}

/** Whether the next write can be made: after a failure it is tried. */
function check() {
  try {
    requireSameDatabase();
    restoreLog();
    settle();
    post({ kind: 'sound' });
  } catch (error) {
    report('unsound', error);
  }
}

/**
 * Recovers from a failure: the rest of the transaction is dropped, so that the file contains exactly the
 * acknowledged writes. Writing also shows whether the file can be written again.
 */
function settle() {
  if (!isUnsettled) return;
  if (database.inTransaction) database.exec('ROLLBACK');
  durably(() => {
    statements.dropUnacknowledged.run(acknowledged);
    trimmed = readTrimmed();
    trim(trimTo);
    statements.trimmed.run(trimmed);
  });
  isUnsettled = false;
}

/**
 * Runs a transaction on the files that a later start will find; any other outcome needs recovery.
 * @param {() => void} run
 */
function durably(run) {
  const before = trimmed;
  try {
    requireSameDatabase();
    transaction(run);
    requireSameDatabase();
    restoreLog();
  } catch (error) {
    trimmed = before;
    isUnsettled = true;
    throw error;
  }
}

/** Writes to a file that was removed or replaced would be lost. */
function requireSameDatabase() {
  const found = identityOf(file);
  if (found === databaseIdentity) return;
  throw found === undefined
    ? coded('REMOVED', 'the file has been removed')
    : coded('REPLACED', 'another file has taken its place');
}

/**
 * If the log was removed, its content goes to the database itself, and a new one is created: leaving
 * write-ahead mode writes the old one back, which is still open.
 */
function restoreLog() {
  const found = identityOf(logFile);
  logIdentity ??= found;
  if (found === logIdentity) return;
  database.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL');
  database.exec('BEGIN EXCLUSIVE; COMMIT');
  logIdentity = identityOf(logFile);
  report('restored', coded('LOG', 'what it held has been written to the database, and a new one begun'));
}

/** @param {WriteMessage} batch */
function insert({ numbers, bytes }) {
  let at = 0;
  for (let i = 0; i < numbers.length; i += NUMBERS) {
    const keyEnd = at + numbers[i + 1];
    const length = numbers[i + 2];
    const end = length < 0 ? keyEnd : keyEnd + length;
    const deadline = numbers[i + 5];
    statements.insert.run(
      numbers[i],
      bytes.subarray(at, keyEnd),
      length < 0 ? null : bytes.subarray(keyEnd, end),
      numbers[i + 3],
      numbers[i + 4],
      Number.isNaN(deadline) ? null : deadline,
    );
    at = end;
  }
  return numbers.length / NUMBERS;
}

/**
 * Drops what only states before `to` need: values replaced up to there, and the deletes themselves.
 * @param {number} to
 */
function trim(to) {
  if (to <= trimmed) return;
  statements.dropReplaced.run(trimmed, to);
  statements.dropDeletes.run(trimmed, to);
  statements.trimmed.run(to);
  trimmed = to;
}

/** @param {number} revision */
function compact(revision) {
  try {
    settle();
    durably(() => trim(revision));
    trimTo = Math.max(trimTo, revision);
    post({ kind: 'compacted' });
  } catch (error) {
    report('not-compacted', error);
  }
}

/** @param {() => void} run */
function transaction(run) {
  database.exec('BEGIN IMMEDIATE');
  try {
    run();
    database.exec('COMMIT');
  } catch (error) {
    rollBack();
    throw error;
  }
}

/** If that fails as well, it is retried before the next transaction; the first failure is reported. */
function rollBack() {
  try {
    if (database.inTransaction) database.exec('ROLLBACK');
  } catch {
    isUnsettled = true;
  }
}

/** @param {string} pragma */
function number(pragma) {
  return (
    Object.values(/** @type {Record<string, number>} */ (database.prepare(`PRAGMA ${pragma}`).get()))[0] ?? 0
  );
}

/** @param {string} code @param {string} message */
function coded(code, message) {
  return Object.assign(new Error(message), { code });
}

/** @param {'rejected' | 'failed' | 'not-compacted' | 'unsound' | 'restored'} kind @param {unknown} error */
function report(kind, error) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  post({ kind, code: code ?? '', message });
}
