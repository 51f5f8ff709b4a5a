import { createHash } from 'node:crypto';
import { keyValue } from '../messages/key-value-messages.ts';

const PAGE = 4096;
const BRANCH = 0x01;
const LEAF = 0x02;
const META = 0x04;

/** A change as etcd stores it; without a value a deletion. */
export interface WrittenChange {
  readonly key: string;
  readonly value?: string | Uint8Array;
}

type Element = readonly [key: Buffer, value: Buffer, flags: number];

/** Makes the database of an etcd with these changes, from revision 2 on: a tree of one level over several leaves. */
export function boltFile(changes: readonly WrittenChange[], perLeaf = 3): Buffer {
  const elements = changes.map((change, index) => elementOf(change, index + 2));
  const leaves: Buffer[] = [];
  for (let at = 0; at < elements.length; at += perLeaf)
    leaves.push(leafPage(leaves.length + 4, elements.slice(at, at + perLeaf)));
  const first = (index: number): Buffer => (elements[index * perLeaf] as Element)[0];
  const branch = branchPage(
    3,
    leaves.map((_, index) => [first(index), index + 4]),
  );
  const bucket = Buffer.alloc(16);
  bucket.writeBigUInt64LE(3n, 0);
  const root = leafPage(2, [[Buffer.from('key'), bucket, 1]]);
  return Buffer.concat([metaPage(0, 7n), metaPage(1, 6n), root, branch, ...leaves]);
}

/** Adds the checksum that `etcdctl snapshot save` adds. */
export const savedSnapshot = (file: Buffer): Buffer =>
  Buffer.concat([file, createHash('sha256').update(file).digest()]);

function elementOf({ key, value }: WrittenChange, revision: number): Element {
  const at = Buffer.alloc(value === undefined ? 18 : 17);
  at.writeBigUInt64BE(BigInt(revision), 0);
  at.write('_', 8);
  if (value === undefined) at.write('t', 17);
  const entry = {
    key,
    createRevision: revision,
    modRevision: revision,
    version: 1,
    value: typeof value === 'string' ? Buffer.from(value) : (value ?? new Uint8Array()),
  };
  return [at, Buffer.from(keyValue.encode(entry)), 0];
}

function page(id: number, flags: number, count: number): Buffer {
  const bytes = Buffer.alloc(PAGE);
  bytes.writeBigUInt64LE(BigInt(id), 0);
  bytes.writeUInt16LE(flags, 8);
  bytes.writeUInt16LE(count, 10);
  return bytes;
}

function leafPage(id: number, elements: readonly Element[]): Buffer {
  const bytes = page(id, LEAF, elements.length);
  let end = 16 + elements.length * 16;
  for (const [index, [key, value, flags]] of elements.entries()) {
    const at = 16 + index * 16;
    bytes.writeUInt32LE(flags, at);
    bytes.writeUInt32LE(end - at, at + 4);
    bytes.writeUInt32LE(key.length, at + 8);
    bytes.writeUInt32LE(value.length, at + 12);
    key.copy(bytes, end);
    value.copy(bytes, end + key.length);
    end += key.length + value.length;
  }
  return bytes;
}

function branchPage(id: number, children: readonly (readonly [Buffer, number])[]): Buffer {
  const bytes = page(id, BRANCH, children.length);
  let end = 16 + children.length * 16;
  for (const [index, [key, child]] of children.entries()) {
    const at = 16 + index * 16;
    bytes.writeUInt32LE(end - at, at);
    bytes.writeUInt32LE(key.length, at + 4);
    bytes.writeBigUInt64LE(BigInt(child), at + 8);
    key.copy(bytes, end);
    end += key.length;
  }
  return bytes;
}

function metaPage(id: number, transaction: bigint): Buffer {
  const bytes = page(id, META, 0);
  bytes.writeUInt32LE(0xed0cdaed, 16);
  bytes.writeUInt32LE(2, 20);
  bytes.writeUInt32LE(PAGE, 24);
  bytes.writeBigUInt64LE(2n, 32);
  bytes.writeBigUInt64LE(transaction, 64);
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes.subarray(16, 72))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  bytes.writeBigUInt64LE(hash, 72);
  return bytes;
}
