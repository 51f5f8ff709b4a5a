import { encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import { type ApiObject, ageChangesAt, ageStart, ageTextSince, type Steps } from '@ashlar/core';
import type { Answer, ColumnDefinition } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { ServedResource } from '../catalog/served-resource.ts';
import { concatenated } from './concatenated.ts';
import { behindComma } from './list-body.ts';
import { inStrides } from './map-answers.ts';
import { metadataItem, metadataStart } from './metadata-view.ts';
import { columnsOf, conditionsOf, type IncludeObject, row, type TableRequest } from './table-view.ts';

/** The rows of a table in JSON, in pieces, each row behind a comma; those of records are kept until a cell changes (ADR 8). */
export function* tableRows(
  served: ServedResource,
  answers: readonly Answer[],
  request: TableRequest,
): Steps<readonly Uint8Array[]> {
  const { transform, include, now } = request;
  const kept = served.tableRows(transform.version, include);
  const columns = columnsOf(served);
  const start = metadataStart(served, transform);
  const make = (record: ObjectRecord): KeptRow => {
    const object = record.decode();
    const conditions = conditionsOf(served, object);
    return new KeptRow(columns, object, rowEnd(conditions, rowObject(record, include, start)), now);
  };
  const pieces: Uint8Array[] = [];
  yield* inStrides(answers, (some) => {
    for (const answer of some) {
      if (answer instanceof ObjectRecord) {
        const held = kept.of(answer, make);
        pieces.push(held.cellsAt(now, answer), held.end);
      } else pieces.push(behindComma(row(served, answer, request)));
    }
  });
  return pieces;
}

/** A cell that tells an age. */
interface Age {
  readonly column: number;
  /** As `ageStart` gives it. */
  readonly start: number;
}

const MILLISECONDS = 1000;
const NULL: Uint8Array = encodeUtf8('null');

/**
 * A row in JSON, and the time for which it holds. Ages change at known instants, and are written anew without the object; cells that may
 * look at the time in other ways are made anew every second. Cells and what stands behind them are two pieces, so that a change of
 * a second costs a few bytes and not the row.
 */
export class KeptRow {
  readonly byteLength: number;
  /** What stands behind the cells. */
  readonly end: Uint8Array;
  readonly #columns: readonly ColumnDefinition[];
  /** As JSON. */
  #cells: string[] = [];
  #ages: readonly Age[] = [];
  #bytes: Uint8Array = NULL;
  #since = 0;
  #until = 0;

  constructor(columns: readonly ColumnDefinition[], object: ApiObject, end: Uint8Array, now: number) {
    this.#columns = columns;
    this.end = end;
    this.#fill(object, now);
    this.byteLength = this.#bytes.length + end.length;
  }

  /** The row as it is now, up to the end of its cells, behind a comma. */
  cellsAt(now: number, record: ObjectRecord): Uint8Array {
    if (now >= this.#since && now < this.#until) return this.#bytes;
    if (this.#columns.every(isForeseeable)) this.#write(now);
    else this.#fill(record.decode(), now);
    return this.#bytes;
  }

  /** Makes all cells. */
  #fill(object: ApiObject, now: number): void {
    this.#cells = this.#columns.map((column) => encodeJsonText(column.cell(object, now)));
    this.#ages = this.#columns.flatMap(({ ageOf }, column) =>
      ageOf ? [{ column, start: ageStart(ageOf(object)) }] : [],
    );
    this.#write(now);
  }

  #write(now: number): void {
    for (const { column, start } of this.#ages)
      this.#cells[column] = encodeJsonText(ageTextSince(start, now));
    this.#bytes = shortBytes(`,{"cells":[${this.#cells.join(',')}]`);
    this.#since = now;
    this.#until = this.#changesAt(now);
  }

  #changesAt(now: number): number {
    const nextSecond = (Math.floor(now / MILLISECONDS) + 1) * MILLISECONDS;
    let until = this.#columns.every(isForeseeable) ? Number.POSITIVE_INFINITY : nextSecond;
    for (const { start } of this.#ages) until = Math.min(until, ageChangesAt(start, now));
    return until;
  }
}

const isForeseeable = ({ timeless, ageOf }: ColumnDefinition): boolean =>
  timeless === true || ageOf !== undefined;

const OBJECT: Uint8Array = encodeUtf8(',"object":');
const CLOSE: Uint8Array = encodeUtf8('}');

/** Arrays up to this length are part of the engine's own heap, and quickly made. */
const SHORT = 64;

/** The bytes of a text that is short and ASCII more often than not. */
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

function rowObject(record: ObjectRecord, include: IncludeObject, start: Uint8Array): Uint8Array {
  if (include === 'None') return NULL;
  return include === 'Object' ? record.json : metadataItem(start, record).subarray(1);
}

/** A row behind its cells: conditions where there are some, and the object. */
function rowEnd(conditions: object, object: Uint8Array): Uint8Array {
  const members = encodeJsonText(conditions).slice(1, -1);
  return concatenated([encodeUtf8(members === '' ? '' : `,${members}`), OBJECT, object, CLOSE]);
}
