import { SnapshotError } from './snapshot-error.ts';

const MAGIC = 0xed0cdaed;
const VERSION = 2;
const PAGE_HEADER_BYTES = 16;
const ELEMENT_BYTES = 16;
const BUCKET_HEADER_BYTES = 16;
const BRANCH = 0x01;
const LEAF = 0x02;
const META = 0x04;
/** Flag of an element of a leaf that is a bucket. */
const IS_BUCKET = 0x01;
/** Deeper trees than this do not come of fan-outs above two. */
const MAXIMUM_DEPTH = 64;
const SMALLEST_PAGE = 512;
const LARGEST_PAGE = 65_536;

/** A page, or the page that a small bucket has inside its value. */
interface Page {
  readonly bytes: Buffer;
  readonly flags: number;
  readonly count: number;
}

interface Meta {
  readonly pageSize: number;
  readonly root: number;
  readonly transaction: bigint;
}

/** Key and value of a bucket, as views of the file. */
export type BoltEntry = readonly [key: Buffer, value: Buffer];

/**
 * Reads the file of etcd's database, a B+ tree of pages (bbolt, format 2). Nothing in it is trusted: lengths and page numbers are checked before
 * they are used.
 */
export class BoltFile {
  readonly #file: Buffer;
  readonly #pageSize: number;
  readonly #root: number;
  /** Pages that may still be read: none belongs to two branches. */
  #left: number;

  /** @throws SnapshotError if this is no such file, or neither of its two heads is complete */
  constructor(file: Buffer) {
    this.#file = file;
    const { pageSize, root } = newestMeta(file);
    this.#pageSize = pageSize;
    this.#root = root;
    this.#left = Math.ceil(file.length / pageSize);
  }

  /**
   * Returns the entries of a bucket at the top, in order of their keys; once.
   * @throws SnapshotError if there is no such bucket, or a page is damaged
   */
  *bucket(name: string): Generator<BoltEntry> {
    const bucketName = Buffer.from(name);
    for (const [key, value, flags] of this.#elements(this.#page(this.#root), 0)) {
      if ((flags & IS_BUCKET) === 0 || !key.equals(bucketName)) continue;
      for (const [entryKey, entryValue] of this.#elements(this.#bucketPage(value), 0))
        yield [entryKey, entryValue];
      return;
    }
    throw new SnapshotError(`it has no bucket ${name}`);
  }

  #bucketPage(value: Buffer): Page {
    if (value.length < BUCKET_HEADER_BYTES) throw new SnapshotError('a bucket has no head');
    const root = pageNumber(value, 0);
    return root === 0 ? this.#pageOf(value.subarray(BUCKET_HEADER_BYTES)) : this.#page(root);
  }

  *#elements(page: Page, depth: number): Generator<readonly [Buffer, Buffer, number]> {
    if (depth > MAXIMUM_DEPTH) throw new SnapshotError('its tree of pages is too deep');
    const { bytes, flags, count } = page;
    if (flags !== LEAF && flags !== BRANCH) throw new SnapshotError(`a page has the type ${flags}`);
    for (let i = 0; i < count; i++) {
      const at = PAGE_HEADER_BYTES + i * ELEMENT_BYTES;
      if (at + ELEMENT_BYTES > bytes.length) throw new SnapshotError('a page is cut off');
      if (flags === BRANCH) yield* this.#elements(this.#page(pageNumber(bytes, at + 8)), depth + 1);
      else yield leafElement(bytes, at);
    }
  }

  #page(id: number): Page {
    if (this.#left-- === 0) throw new SnapshotError('its tree of pages is not one');
    const start = id * this.#pageSize;
    if (start + PAGE_HEADER_BYTES > this.#file.length)
      throw new SnapshotError(`it ends before its page ${id}`);
    const overflow = this.#file.readUInt32LE(start + 12);
    return this.#pageOf(this.#file.subarray(start, start + (overflow + 1) * this.#pageSize));
  }

  #pageOf(bytes: Buffer): Page {
    if (bytes.length < PAGE_HEADER_BYTES) throw new SnapshotError('a page is cut off');
    return { bytes, flags: bytes.readUInt16LE(8), count: bytes.readUInt16LE(10) };
  }
}

function leafElement(bytes: Buffer, at: number): readonly [Buffer, Buffer, number] {
  const key = at + bytes.readUInt32LE(at + 4);
  const value = key + bytes.readUInt32LE(at + 8);
  const end = value + bytes.readUInt32LE(at + 12);
  if (end > bytes.length) throw new SnapshotError('a page is cut off');
  return [bytes.subarray(key, value), bytes.subarray(value, end), bytes.readUInt32LE(at)];
}

/** A number of a page: no file has 2^48 of them. */
const pageNumber = (bytes: Buffer, at: number): number => bytes.readUIntLE(at, 6);

/** Returns the newest of the two heads that is complete. */
function newestMeta(file: Buffer): Meta {
  const metas: Meta[] = [];
  // the second head is on the second page, whose size only a head tells
  for (let size = SMALLEST_PAGE; size <= LARGEST_PAGE; size *= 2) {
    for (const start of [0, size]) {
      const meta = metaAt(file, start);
      if (meta?.pageSize === size) metas.push(meta);
    }
  }
  const [newest] = metas.sort((a, b) => (a.transaction < b.transaction ? 1 : -1));
  if (!newest) throw new SnapshotError('it is not the database of an etcd, or its beginning is damaged');
  return newest;
}

function metaAt(file: Buffer, start: number): Meta | undefined {
  const at = start + PAGE_HEADER_BYTES;
  if (at + 64 > file.length || file.readUInt16LE(start + 8) !== META) return undefined;
  if (file.readUInt32LE(at) !== MAGIC || file.readUInt32LE(at + 4) !== VERSION) return undefined;
  if (fnv1a(file.subarray(at, at + 56)) !== file.readBigUInt64LE(at + 56)) return undefined;
  return {
    pageSize: file.readUInt32LE(at + 8),
    root: pageNumber(file, at + 16),
    transaction: file.readBigUInt64LE(at + 48),
  };
}

/** FNV-1a of 64 bits. */
function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
