import { encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import type { Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { CachedRow } from './cached-row.ts';
import { concatenated } from './concatenated.ts';
import type { EncodedResource } from './encoded-resource.ts';
import type { IncludeObject } from './include-object.ts';
import { encodeAfterComma } from './list-body.ts';
import type { ListItems } from './list-items.ts';
import { metadataItem, metadataStart } from './metadata-view.ts';
import { uncachedObjectOf } from './result-object.ts';
import { TableMoment } from './table-moment.ts';
import { columnsOf, conditionsOf, row, rowStride, type TableRequest } from './table-view.ts';

/** Encodes the rows of a table in JSON, in pieces, each row after a comma; rows of records are cached until a cell changes (ADR 8). */
export function* tableRows(
  served: EncodedResource,
  list: ListItems,
  request: TableRequest,
): Steps<readonly Uint8Array[]> {
  const { transform, include, now } = request;
  const { rows, blocks } = served.tableRows(transform.version, include);
  const columns = columnsOf(served);
  const start = metadataStart(served, transform);
  const makeRow = (record: ObjectRecord): CachedRow => {
    const object = record.decode();
    const conditions = conditionsOf(served, object);
    return new CachedRow(columns, object, rowEnd(conditions, rowObject(served, record, include, start)), now);
  };
  const moment = new TableMoment(now);
  const encode = (result: ResultObject): Uint8Array =>
    ObjectRecord.is(result)
      ? rows.getOrEncode(result, makeRow).at(moment, result)
      : encodeAfterComma(row(served, result, request));
  return yield* blocks.encodeSteps(list, { encode, validity: moment, stride: rowStride(served) });
}

const NULL: Uint8Array = encodeUtf8('null');
const OBJECT: Uint8Array = encodeUtf8(',"object":');
const CLOSE: Uint8Array = encodeUtf8('}');

function rowObject(
  served: EncodedResource,
  record: ObjectRecord,
  include: IncludeObject,
  start: Uint8Array,
): Uint8Array {
  if (include === 'None') return NULL;
  return include === 'Object' ? record.json : metadataItem(served, start, record).subarray(1);
}

/** Returns the part of a row after its cells: conditions, if any, and the object. */
function rowEnd(conditions: object, object: Uint8Array): Uint8Array {
  const members = encodeJsonText(conditions).slice(1, -1);
  return concatenated([encodeUtf8(members === '' ? '' : `,${members}`), OBJECT, object, CLOSE]);
}

/** Returns the objects of a list in the order of the rows of their kind. */
export function inRowOrder({ definition }: EncodedResource, list: ListItems): ListItems {
  if (!definition.rowOrder || list.items.length < 2) return list;
  const items = list.items.map((result) => ({ answer: result, object: uncachedObjectOf(result) }));
  items.sort((a, b) => definition.rowOrder?.(a.object, b.object) ?? 0);
  return { items: items.map(({ answer }) => answer), isSelected: true };
}
