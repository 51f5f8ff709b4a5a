import type { Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { EncodingBudget } from './encoding-budget.ts';
import { type Encoding, EncodingCache } from './encoding-cache.ts';
import { isLargeItem } from './large-records.ts';
import type { ListItems } from './list-items.ts';
import { STRIDE } from './map-in-strides.ts';
import { UnchangedLists } from './unchanged-lists.ts';

/** Maximum number of items between two pauses: cached ones cost little, but not nothing. */
const MAXIMUM_ITEMS = 1_024;

/** A block ends after a record whose revision is a multiple of this, so that lists that begin elsewhere share the blocks that follow. */
const REVISIONS_PER_BLOCK = 32;
const MAXIMUM_BLOCK_ITEMS = 64;
const MAXIMUM_BLOCK_BYTES = 65_536;

/** A period, in milliseconds since 1970. */
interface Period {
  readonly from: number;
  readonly until: number;
}

/** How long the encoding of a list may take, in milliseconds. */
const LONGEST_LIST = 60_000;

const ALWAYS: Period = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** Consecutive items of a list as one piece. */
class Block implements Encoding {
  readonly records: readonly ObjectRecord[];
  readonly bytes: Uint8Array;
  /** Where each item ends. */
  readonly #ends: readonly number[];
  readonly #valid: Period;

  constructor(records: readonly ObjectRecord[], items: readonly Uint8Array[], valid: Period) {
    this.records = records;
    let size = 0;
    this.#ends = items.map(({ length }) => {
      size += length;
      return size;
    });
    this.bytes = new Uint8Array(size);
    for (const [i, item] of items.entries()) this.bytes.set(item, (this.#ends[i] as number) - item.length);
    this.#valid = valid;
  }

  get byteLength(): number {
    return this.bytes.length;
  }

  /** Returns whether a list has exactly these items at a position. */
  isAt(results: readonly ResultObject[], at: number): boolean {
    const { records } = this;
    for (let i = 0; i < records.length; i++) if (results[at + i] !== records[i]) return false;
    return true;
  }

  isValidAt(now: number): boolean {
    return now >= this.#valid.from && now < this.#valid.until;
  }

  /** Whether it shows a time that a list may have that began later, and no time before the clock was set back. */
  isShortlyAfter(now: number): boolean {
    return now < this.#valid.from && this.#valid.from - now < LONGEST_LIST;
  }

  /** Returns the item of one of its records. */
  item(record: ObjectRecord): Uint8Array | undefined {
    const i = this.records.indexOf(record);
    return i < 0 ? undefined : this.bytes.subarray(this.#ends[i - 1] ?? 0, this.#ends[i]);
  }
}

/** How the items of a list are encoded. */
export interface ItemEncoder {
  /** Encodes one item, such that a list has the encodings of its items one after the other. */
  encode(result: ResultObject): Uint8Array;
  /** As `encode`, with pauses: for large records. Without it they are encoded at once. */
  encodeSteps?(record: ObjectRecord): Steps<Uint8Array>;
  /** Bytes of objects between two pauses. */
  readonly stride?: number;
  /** If encodings depend on the time. */
  readonly validity?: Validity;
}

/** For how long encodings are valid that depend on the time, in milliseconds since 1970. */
export interface Validity {
  readonly now: number;
  /** Lowered by `encode` to the time until which the item is valid. */
  until: number;
}

/**
 * Caches the items of lists in one format, many to a piece: a list consists of few pieces, and after a write one of them is encoded again, in which
 * unchanged items are copied. Lists by selectors share single items instead, since each selector has other neighbors.
 */
export class BlockCache {
  readonly #blocks: EncodingCache<Block>;
  readonly #items: EncodingCache;
  /** Lists that were read again unchanged. */
  readonly #lists: UnchangedLists;
  /** Bytes of the records that were encoded for blocks. */
  #bytesRead = 0;

  constructor(budget: EncodingBudget) {
    this.#blocks = new EncodingCache(budget);
    this.#items = new EncodingCache(budget);
    this.#lists = new UnchangedLists(budget);
  }

  /** Whether a list is cached as a whole. */
  hasWhole(list: ListItems): boolean {
    return this.#lists.get(list) !== undefined;
  }

  /** Returns the cached encoding of one record, or encodes and caches it. */
  item(record: ObjectRecord, encode: (record: ObjectRecord) => Uint8Array): Uint8Array {
    return this.#items.getOrEncode(record, encode);
  }

  /** As `item`, with pauses. */
  *itemSteps(
    record: ObjectRecord,
    encodeSteps: (record: ObjectRecord) => Steps<Uint8Array>,
  ): Steps<Uint8Array> {
    const cached = this.#items.get(record);
    if (cached) return cached;
    const item = yield* encodeSteps(record);
    this.#items.set(record, item);
    return item;
  }

  /** Encodes the items of a list in pieces. */
  *encodeSteps(list: ListItems, encoder: ItemEncoder): Steps<Uint8Array[]> {
    const isCacheable = !encoder.validity;
    const whole = isCacheable && this.#lists.get(list);
    if (whole) return [...whole];
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < list.items.length; ) {
      if (at > 0) yield;
      const result = list.items[at];
      if (encoder.encodeSteps && isLargeItem(result)) {
        pieces.push(yield* this.itemSteps(result, encoder.encodeSteps));
        at++;
      } else at = this.#encodeSome(list, at, encoder, pieces);
    }
    return isCacheable ? yield* this.#lists.addSteps(list, pieces) : pieces;
  }

  /** Encodes as many items as fit between two pauses, up to a large one. No generator, because pages take this path. */
  #encodeSome(
    { items, isSelected = false }: ListItems,
    start: number,
    encoder: ItemEncoder,
    pieces: Uint8Array[],
  ): number {
    const end = Math.min(items.length, start + MAXIMUM_ITEMS);
    const enough = this.#effort + (encoder.stride ?? STRIDE);
    let at = start;
    while (at < end && this.#effort < enough) {
      const result = items[at] as ResultObject;
      if (encoder.encodeSteps && isLargeItem(result)) break;
      if (!ObjectRecord.is(result)) pieces.push(encoder.encode(result));
      else if (isSelected) pieces.push(this.#single(result, encoder));
      else {
        const block = this.#block(items, at, result, encoder);
        pieces.push(block.bytes);
        at += block.records.length - 1;
      }
      at++;
    }
    return at;
  }

  get #effort(): number {
    return this.#bytesRead + this.#items.bytesRead;
  }

  #single(record: ObjectRecord, encoder: ItemEncoder): Uint8Array {
    return encoder.validity ? this.#encode(record, encoder) : this.#items.getOrEncode(record, encoder.encode);
  }

  #encode(record: ObjectRecord, { encode }: ItemEncoder): Uint8Array {
    this.#bytesRead += record.stored.length;
    return encode(record);
  }

  #block(items: readonly ResultObject[], at: number, first: ObjectRecord, encoder: ItemEncoder): Block {
    const cached = this.#blocks.get(first);
    const { validity } = encoder;
    if (cached?.isAt(items, at) && (!validity || cached.isValidAt(validity.now))) return cached;
    const block = this.#encodeBlock(blockFrom(items, at, encoder), encoder, validity ? undefined : cached);
    // a list that began before others did shows an earlier time, and the later ones go on
    if (!(validity && cached?.isAt(items, at) && cached.isShortlyAfter(validity.now)))
      this.#blocks.set(first, block);
    return block;
  }

  /** @param previous a block with some of the same records, of which items are copied */
  #encodeBlock(records: readonly ObjectRecord[], encoder: ItemEncoder, previous: Block | undefined): Block {
    const { validity } = encoder;
    if (validity) validity.until = Number.POSITIVE_INFINITY;
    const items = records.map(
      (record) => previous?.item(record) ?? this.#items.get(record) ?? this.#encode(record, encoder),
    );
    return new Block(records, items, validity ? { from: validity.now, until: validity.until } : ALWAYS);
  }
}

/** Returns the records of the block that begins at a position of a list. */
function blockFrom(
  items: readonly ResultObject[],
  start: number,
  { encodeSteps }: ItemEncoder,
): readonly ObjectRecord[] {
  const records: ObjectRecord[] = [];
  let bytes = 0;
  for (let at = start; records.length < MAXIMUM_BLOCK_ITEMS && bytes < MAXIMUM_BLOCK_BYTES; at++) {
    const result = items[at];
    if (!ObjectRecord.is(result) || (encodeSteps && isLargeItem(result))) break;
    records.push(result);
    bytes += result.stored.length;
    if (result.revision % REVISIONS_PER_BLOCK === 0) break;
  }
  return records;
}
