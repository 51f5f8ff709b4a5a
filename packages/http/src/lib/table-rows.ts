import { encodeJson, encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import { type ApiObject, ageChangesAt, ageStart, ageTextSince, type JsonValue } from '@ashlar/core';
import type { Answer, ColumnDefinition } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { concatenated } from './concatenated.ts';
import { behindComma } from './list-body.ts';
import { metadataItem, metadataStart } from './metadata-view.ts';
import type { ServedResource } from './served-resource.ts';
import { columnsOf, conditionsOf, type IncludeObject, row, type TableRequest } from './table-view.ts';

/** The rows of a table in JSON, each behind a comma; those of records are kept until a cell changes (ADR 8). */
export function tableRows(
  served: ServedResource,
  answers: readonly Answer[],
  request: TableRequest,
): readonly Uint8Array[] {
  const { transform, include, now } = request;
  const kept = served.tableRows(transform.version, include);
  const columns = columnsOf(served);
  const start = metadataStart(served, transform);
  const make = (record: ObjectRecord): KeptRow => {
    const object = record.decode();
    const conditions = conditionsOf(served, object);
    return new KeptRow(columns, object, rowEnd(conditions, rowObject(record, include, start)), now);
  };
  return answers.map((answer) =>
    answer instanceof ObjectRecord
      ? kept.of(answer, make).at(now, answer)
      : behindComma(row(served, answer, request)),
  );
}

/** A cell that tells an age. */
interface Age {
  readonly column: number;
  /** As `ageStart` gives it. */
  readonly start: number;
}

const MILLISECONDS = 1000;

/**
 * A row in JSON behind a comma, and the time for which it holds. Ages change at known instants, and are written anew without the object;
 * cells that may look at the time in other ways are made anew every second.
 */
export class KeptRow {
  readonly byteLength: number;
  readonly #columns: readonly ColumnDefinition[];
  #bytes: Uint8Array;
  /** Where the cells end. */
  #cellsEnd = 0;
  #cells: JsonValue[] = [];
  #ages: readonly Age[] = [];
  #since = 0;
  #until = 0;

  /** @param end what stands behind the cells */
  constructor(columns: readonly ColumnDefinition[], object: ApiObject, end: Uint8Array, now: number) {
    this.#columns = columns;
    this.#bytes = end;
    this.#fill(object, now);
    this.byteLength = this.#bytes.length;
  }

  /** The row as it is now. */
  at(now: number, record: ObjectRecord): Uint8Array {
    if (now >= this.#since && now < this.#until) return this.#bytes;
    if (this.#columns.every(isForeseeable)) this.#write(now);
    else this.#fill(record.decode(), now);
    return this.#bytes;
  }

  /** Makes all cells. */
  #fill(object: ApiObject, now: number): void {
    this.#cells = this.#columns.map((column) => column.cell(object, now));
    this.#ages = this.#columns.flatMap(({ ageOf }, column) =>
      ageOf ? [{ column, start: ageStart(ageOf(object)) }] : [],
    );
    this.#write(now);
  }

  /** Writes the cells as they are now before what stands behind them. */
  #write(now: number): void {
    for (const { column, start } of this.#ages) this.#cells[column] = ageTextSince(start, now);
    const end = this.#bytes.subarray(this.#cellsEnd);
    const cells = encodeJson(this.#cells);
    this.#cellsEnd = CELLS.length + cells.length;
    this.#bytes = new Uint8Array(this.#cellsEnd + end.length);
    this.#bytes.set(CELLS);
    this.#bytes.set(cells, CELLS.length);
    this.#bytes.set(end, this.#cellsEnd);
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

const CELLS: Uint8Array = encodeUtf8(',{"cells":');
const OBJECT: Uint8Array = encodeUtf8(',"object":');
const NULL: Uint8Array = encodeUtf8('null');
const CLOSE: Uint8Array = encodeUtf8('}');

function rowObject(record: ObjectRecord, include: IncludeObject, start: Uint8Array): Uint8Array {
  if (include === 'None') return NULL;
  return include === 'Object' ? record.json : metadataItem(start, record).subarray(1);
}

/** A row behind its cells: conditions where there are some, and the object. */
function rowEnd(conditions: object, object: Uint8Array): Uint8Array {
  const members = encodeJsonText(conditions).slice(1, -1);
  return concatenated([encodeUtf8(members === '' ? '' : `,${members}`), OBJECT, object, CLOSE]);
}
