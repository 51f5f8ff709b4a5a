import { encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import { type ApiObject, ageStart } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';
import type { ObjectRecord } from '@ashlar/storage';
import type { TableMoment } from './table-moment.ts';

const MILLISECONDS = 1000;

/**
 * A table row in JSON. Ages change at predictable times and are inserted without decoding the object; cells that may depend on the time
 * in other ways are computed again every second. What stands between the ages is encoded once.
 */
export class CachedRow {
  /** Bytes without ages. */
  readonly byteLength: number;
  readonly #columns: readonly ColumnDefinition[];
  /** What follows the cells. */
  readonly #end: Uint8Array;
  /** As `ageStart` returns them. */
  #starts: readonly number[] = [];
  /** The cells before, between and behind the ages. */
  #parts: readonly Uint8Array[] = [];
  /** Of all but the ages. */
  #size = 0;
  readonly #isPredictable: boolean;
  #computedAt = 0;

  constructor(columns: readonly ColumnDefinition[], object: ApiObject, end: Uint8Array, now: number) {
    this.#columns = columns;
    this.#end = end;
    this.#isPredictable = columns.every(isPredictable);
    this.#compute(object, now);
    this.byteLength = this.#size;
  }

  /** Returns the row at a moment, after a comma, and limits how long what is shown then is valid. */
  at(moment: TableMoment, record: ObjectRecord): Uint8Array {
    if (!this.#isPredictable) this.#update(moment, record);
    const ages = this.#starts.map((start) => moment.age(start));
    let size = this.#size;
    for (const age of ages) size += age.length;
    const row = moment.allocate(size);
    let at = 0;
    for (const [i, part] of this.#parts.entries()) {
      row.set(part, at);
      at += part.length;
      const age = ages[i];
      if (!age) break;
      row.set(age, at);
      at += age.length;
    }
    row.set(this.#end, at);
    return row;
  }

  /** Computes the cells again if they are of another second. */
  #update(moment: TableMoment, record: ObjectRecord): void {
    const second = startOfSecond(moment.now);
    if (startOfSecond(this.#computedAt) !== second) this.#compute(record.decode(), moment.now);
    moment.endsBy(second + MILLISECONDS);
  }

  #compute(object: ApiObject, now: number): void {
    const ages = this.#columns.filter(({ ageOf }) => ageOf);
    this.#starts = ages.map(({ ageOf }) => ageStart(ageOf?.(object)));
    this.#parts = this.#encodeParts(object, now);
    this.#size = this.#parts.reduce((sum, { length }) => sum + length, this.#end.length);
    this.#computedAt = now;
  }

  #encodeParts(object: ApiObject, now: number): readonly Uint8Array[] {
    const texts = [',{"cells":['];
    for (const [i, { ageOf, cell }] of this.#columns.entries()) {
      if (i > 0) texts.push(`${texts.pop()},`);
      if (ageOf) texts.push('');
      else texts.push(texts.pop() + encodeJsonText(cell(object, now)));
    }
    texts.push(`${texts.pop()}]`);
    return texts.map(shortBytes);
  }
}

const startOfSecond = (time: number): number => Math.floor(time / MILLISECONDS) * MILLISECONDS;

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
