// @ts-check
// The writer's thread. Plain JavaScript, since Node 20 loads no TypeScript into a worker: so one file serves tests and users.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

/**
 * @typedef {import('./lib/protocol.ts').ToWorker} ToWorker
 * @typedef {import('./lib/protocol.ts').FromWorker} FromWorker
 * @typedef {import('./lib/protocol.ts').Row} Row
 * @typedef {Extract<ToWorker, { kind: 'write' }>} WriteMessage
 */

/** "ASHL": marks the file as ours. */
const APPLICATION_ID = 0x4153484c;
const FORMAT = 1;

/** Numbers per change in a batch, see change-batch.ts. */
const NUMBERS = 6;

/** So much goes into one transaction at most, and so much of one message when rows are loaded. */
const MOST_CHANGES = 4096;
const CHUNK_BYTES = 4 << 20;

/** Revisions trimmed with each transaction beyond as many as it writes. */
const TRIM_AHEAD = 64;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { file, maxFileBytes } = /** @type {import('./lib/protocol.ts').WorkerOptions} */ (workerData);

/** @type {(message: FromWorker, transfer?: readonly ArrayBuffer[]) => void} */
const post = (message, transfer = []) => port.postMessage(message, transfer);

/** @type {import('libsql').Database} */
let database;
/** @type {ReturnType<typeof prepare>} */
let statements;
/** The log is trimmed up to here, and may be up to there. */
let trimmed = 1;
let trimTo = 1;
/** Batches of this epoch and earlier ones stand on a write that has failed. */
let failedEpoch = -1;

/** @type {ToWorker[]} */
const arrived = [];

try {
  open();
  load();
  port.on('message', receive);
} catch (error) {
  if (database) database.close();
  report('refused', error);
}

/** @param {ToWorker} message */
function receive(message) {
  arrived.push(message);
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
    arrived.push(next.message);
  while (arrived.length > 0) work();
}

function open() {
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
  // Takes the lock that makes a second opener fail, also where nothing is written.
  database.exec('BEGIN EXCLUSIVE; COMMIT');
  statements = prepare();
}

/** The library gives no code where the file cannot be opened. */
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
  };
}

/** Sends all rows in the order of revisions, in batches, then where the log begins. */
function load() {
  trimmed = /** @type {{ trimmed: number }} */ (database.prepare('SELECT trimmed FROM meta').get()).trimmed;
  trimTo = trimmed;
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
    if (size >= CHUNK_BYTES) send();
  }
  if (numbers.length > 0) send();
  post({ kind: 'loaded', trimmed });
}

/** Takes the next thing to do: all batches up to something else are one transaction. */
function work() {
  const first = /** @type {ToWorker} */ (arrived[0]);
  if (first.kind === 'write') return write(takeBatches());
  arrived.shift();
  if (first.kind === 'compact') return compact(first.revision);
  database.close();
  port.close();
}

function takeBatches() {
  /** @type {WriteMessage[]} */
  const batches = [];
  let changes = 0;
  while (arrived[0]?.kind === 'write' && changes < MOST_CHANGES) {
    const batch = /** @type {WriteMessage} */ (arrived.shift());
    if (batch.epoch <= failedEpoch) continue;
    batches.push(batch);
    changes += batch.numbers.length / NUMBERS;
  }
  return batches;
}

/** @param {readonly WriteMessage[]} batches */
function write(batches) {
  const last = batches.at(-1);
  if (!last) return;
  trimTo = Math.max(trimTo, last.trimTo);
  const before = trimmed;
  try {
    transaction(() => {
      let changes = 0;
      for (const batch of batches) changes += insert(batch);
      trim(Math.min(trimTo, trimmed + changes + TRIM_AHEAD));
    });
    post({ kind: 'committed', batches: batches.length });
  } catch (error) {
    trimmed = before;
    failedEpoch = last.epoch;
    report('failed', error);
    makeRoom();
  }
}

/** What was not written cannot trim the log on its way; without this a full file would stay full. */
function makeRoom() {
  const before = trimmed;
  try {
    transaction(() => trim(trimTo));
  } catch {
    trimmed = before;
  }
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
  const before = trimmed;
  try {
    transaction(() => trim(revision));
    trimTo = Math.max(trimTo, revision);
    post({ kind: 'compacted' });
  } catch (error) {
    trimmed = before;
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
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
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

/** @param {'refused' | 'failed' | 'not-compacted'} kind @param {unknown} error */
function report(kind, error) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  post({ kind, code: code ?? '', message });
}
