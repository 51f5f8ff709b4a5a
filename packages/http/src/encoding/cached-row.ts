import { encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import { type ApiObject, ageChangesAt, ageStart, ageTextSince } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';
import type { ObjectRecord } from '@ashlar/storage';
import { concatenated } from './concatenated.ts';

/** A cell that shows an age. */
interface Age {
  readonly column: number;
  /** As `ageStart` gives it. */
  readonly start: number;
}

const MILLISECONDS = 1000;
const EMPTY: Uint8Array = new Uint8Array();

/**
 * A table row in JSON, and the time for which it is valid. Ages change at predictable times and are updated without decoding the object;
 * cells that may depend on the time in other ways are computed again every second. Cells and the rest of the row are cached apart,
 * so that updating an age encodes a few bytes and not the row.
 */
export class CachedRow {
  readonly byteLength: number;
  /** The part after the cells. */
  readonly #end: Uint8Array;
  readonly #columns: readonly ColumnDefinition[];
  /** As JSON. */
  #cells: string[] = [];
  #ages: readonly Age[] = [];
  #cellBytes: Uint8Array = EMPTY;
  #validFrom = 0;
  #validUntil = 0;

  constructor(columns: readonly ColumnDefinition[], object: ApiObject, end: Uint8Array, now: number) {
    this.#columns = columns;
    this.#end = end;
    this.#computeCells(object, now);
    this.byteLength = this.#cellBytes.length + end.length;
  }

  /** Returns the row at a time, after a comma. */
  at(now: number, record: ObjectRecord): Uint8Array {
    if (now < this.#validFrom || now >= this.#validUntil) {
      if (this.#columns.every(isPredictable)) this.#write(now);
      else this.#computeCells(record.decode(), now);
    }
    return concatenated([this.#cellBytes, this.#end]);
  }

  /** Until when the row that was returned last is valid, in milliseconds since 1970. */
  get validUntil(): number {
    return this.#validUntil;
  }

  /** Computes all cells. */
  #computeCells(object: ApiObject, now: number): void {
    this.#cells = this.#columns.map((column) => encodeJsonText(column.cell(object, now)));
    this.#ages = this.#columns.flatMap(({ ageOf }, column) =>
      ageOf ? [{ column, start: ageStart(ageOf(object)) }] : [],
    );
    this.#write(now);
  }

  #write(now: number): void {
    for (const { column, start } of this.#ages)
      this.#cells[column] = encodeJsonText(ageTextSince(start, now));
    this.#cellBytes = shortBytes(`,{"cells":[${this.#cells.join(',')}]`);
    this.#validFrom = now;
    this.#validUntil = this.#expiresAt(now);
  }

  #expiresAt(now: number): number {
    const nextSecond = (Math.floor(now / MILLISECONDS) + 1) * MILLISECONDS;
    let until = this.#columns.every(isPredictable) ? Number.POSITIVE_INFINITY : nextSecond;
    for (const { start } of this.#ages) until = Math.min(until, ageChangesAt(start, now));
    return until;
  }
}

const isPredictable = ({ timeless, ageOf }: ColumnDefinition): boolean =>
  timeless === true || ageOf !== undefined;

/** Arrays up to this length live on the heap of the JavaScript engine and are cheap to allocate. */
const SHORT = 64;

/** Encodes a text that is usually short and ASCII. */
function shortBytes(text: string): Uint8Array {
  if (text.length > SHORT) return encodeUtf8(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return encodeUtf8(text);
    bytes[i] = code;
  }
  return bytes;
}
