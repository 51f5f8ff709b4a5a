import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { keyValue } from '../messages/key-value-messages.ts';
import { BoltFile } from './bolt-file.ts';
import { SnapshotError } from './snapshot-error.ts';

/** The newest value of a key. */
export interface SnapshotEntry {
  /** As etcd has it, with the prefix of its writer: `/registry/pods/default/a`. */
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

/** The state of an etcd when the snapshot was made. */
export interface Snapshot {
  /** The newest revision. */
  readonly revision: number;
  /** In order of their keys. */
  readonly entries: readonly SnapshotEntry[];
}

const HASH_BYTES = 32;
/** A key of the bucket: two numbers with `_` between them, and `t` if the key was deleted. */
const REVISION_BYTES = 17;

/**
 * Reads a snapshot of etcd 3 (`etcdctl snapshot save`), or the database of a member that is stopped (`member/snap/db`). The file is only read.
 * @throws SnapshotError if the file is something else, is cut off, or its checksum is wrong
 * @throws Error of Node if it cannot be read
 */
export function readSnapshot(file: string): Snapshot {
  const bytes = readFileSync(file);
  try {
    return snapshotOf(withoutHash(bytes));
  } catch (error) {
    // of whatever kind the error is, it comes from the bytes
    const why = SnapshotError.is(error) ? error.message : 'it is damaged';
    throw new SnapshotError(`${file} cannot be used: ${why}`, { cause: error });
  }
}

/** A saved snapshot ends with its SHA-256; a database consists of pages only. */
function withoutHash(bytes: Buffer): Buffer {
  if (bytes.length % 512 !== HASH_BYTES) return bytes;
  const content = bytes.subarray(0, -HASH_BYTES);
  const hash = createHash('sha256').update(content).digest();
  if (!hash.equals(bytes.subarray(-HASH_BYTES))) throw new SnapshotError('its checksum is wrong');
  return content;
}

function snapshotOf(bytes: Buffer): Snapshot {
  const entries = new Map<string, SnapshotEntry>();
  let revision = 1;
  for (const [at, value] of new BoltFile(bytes).bucket('key')) {
    if (at.length < REVISION_BYTES) throw new SnapshotError('a revision is cut off');
    const changed = Number(at.readBigUInt64BE(0));
    const entry = keyValue.decode(value);
    revision = Math.max(revision, changed);
    if (at.length > REVISION_BYTES) entries.delete(entry.key);
    else entries.set(entry.key, { key: entry.key, value: entry.value, revision: entry.modRevision });
  }
  return { revision, entries: [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) };
}
