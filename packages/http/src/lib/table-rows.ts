import { encodeJson, encodeUtf8 } from '@ashlar/codec';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { Answer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { behindComma } from './list-body.ts';
import { metadataItem, metadataStart } from './metadata-view.ts';
import { glanceAt } from './object-encoding.ts';
import type { ServedResource } from './served-resource.ts';
import { columnsOf, row, rowHead, type TableRequest } from './table-view.ts';

const MILLISECONDS = 1000;
const NULL: Uint8Array = encodeUtf8('null');
const CLOSE: Uint8Array = encodeUtf8('}');

/** A row in JSON behind a comma, with the time for which it holds: cells that tell an age change at known instants. */
export interface KeptRow {
  readonly byteLength: number;
  bytes: Uint8Array;
  /** Where the object of the row begins, which does not change. */
  objectAt: number;
  since: number;
  until: number;
}

/** The rows of a table in JSON, each behind a comma; those of records are kept until a cell changes (ADR 8). */
export function tableRows(
  served: ServedResource,
  answers: readonly Answer[],
  request: TableRequest,
): readonly Uint8Array[] {
  const { transform, include, now } = request;
  const kept = served.tableRows(transform.version, include);
  const start = metadataStart(served, transform);
  const make = (record: ObjectRecord): KeptRow => {
    const object = record.decode();
    return newRow(served, object, encodeRowObject(record, request, start), now);
  };
  return answers.map((answer) => {
    if (!(answer instanceof ObjectRecord)) return behindComma(row(served, glanceAt(answer), request));
    const held = kept.of(answer, make);
    if (now < held.since || now >= held.until) renew(held, served, answer.decode(), now);
    return held.bytes;
  });
}

function newRow(served: ServedResource, object: ApiObject, shown: Uint8Array, now: number): KeptRow {
  const held = { byteLength: 0, bytes: shown, objectAt: 0, since: 0, until: 0 };
  renew(held, served, object, now);
  return { ...held, byteLength: held.bytes.length };
}

/** Writes the cells of a row anew. */
function renew(held: KeptRow, served: ServedResource, object: ApiObject, now: number): void {
  const shown = held.bytes.subarray(held.objectAt);
  const head = encodeHead(rowHead(served, object, now));
  held.bytes = new Uint8Array(head.length + shown.length);
  held.bytes.set(head);
  held.bytes.set(shown, head.length);
  held.objectAt = head.length;
  held.since = now;
  held.until = changesAt(served, object, now);
}

/** A row up to its object, behind a comma: the comma of the next key stands where the brace did. */
function encodeHead(head: object): Uint8Array {
  const json = encodeJson(head as JsonValue);
  const start = new Uint8Array(json.length + OBJECT_KEY.length);
  start[0] = OBJECT_KEY[0] as number;
  start.set(json, 1);
  start.set(OBJECT_KEY, json.length);
  return start;
}

const OBJECT_KEY: Uint8Array = encodeUtf8(',"object":');

/** When a cell may say something else; where nobody knows, with the next second. */
function changesAt(served: ServedResource, object: ApiObject, now: number): number {
  const nextSecond = (Math.floor(now / MILLISECONDS) + 1) * MILLISECONDS;
  let until = Number.POSITIVE_INFINITY;
  for (const column of columnsOf(served))
    until = Math.min(until, column.changesAt?.(object, now) ?? nextSecond);
  return until;
}

/** The object of a row and the brace that ends the row. */
function encodeRowObject(record: ObjectRecord, { include }: TableRequest, start: Uint8Array): Uint8Array {
  const object =
    include === 'None' ? NULL : include === 'Object' ? record.json : metadataItem(start, record).subarray(1);
  const ended = new Uint8Array(object.length + 1);
  ended.set(object);
  ended.set(CLOSE, object.length);
  return ended;
}
