import { encodeJsonText, encodeUtf8 } from '@ashlar/codec';
import type { Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { CachedRow } from './cached-row.ts';
import { concatenated } from './concatenated.ts';
import type { EncodedResource } from './encoded-resource.ts';
import type { IncludeObject } from './include-object.ts';
import { encodeAfterComma } from './list-body.ts';
import { eachAnswer } from './map-in-strides.ts';
import { metadataItem, metadataStart } from './metadata-view.ts';
import { columnsOf, conditionsOf, row, type TableRequest } from './table-view.ts';

/** Encodes the rows of a table in JSON, in pieces, each row after a comma; rows of records are cached until a cell changes (ADR 8). */
export function* tableRows(
  served: EncodedResource,
  answers: readonly ResultObject[],
  request: TableRequest,
): Steps<readonly Uint8Array[]> {
  const { transform, include, now } = request;
  const cache = served.tableRows(transform.version, include);
  const columns = columnsOf(served);
  const start = metadataStart(served, transform);
  const encode = (record: ObjectRecord): CachedRow => {
    const object = record.decode();
    const conditions = conditionsOf(served, object);
    return new CachedRow(columns, object, rowEnd(conditions, rowObject(record, include, start)), now);
  };
  const pieces: Uint8Array[] = [];
  yield* eachAnswer(answers, cache, (answer) => {
    if (answer instanceof ObjectRecord) {
      const cached = cache.getOrEncode(answer, encode);
      pieces.push(cached.cellsAt(now, answer), cached.end);
    } else pieces.push(encodeAfterComma(row(served, answer, request)));
  });
  return pieces;
}

const NULL: Uint8Array = encodeUtf8('null');
const OBJECT: Uint8Array = encodeUtf8(',"object":');
const CLOSE: Uint8Array = encodeUtf8('}');

function rowObject(record: ObjectRecord, include: IncludeObject, start: Uint8Array): Uint8Array {
  if (include === 'None') return NULL;
  return include === 'Object' ? record.json : metadataItem(start, record).subarray(1);
}

/** Returns the part of a row after its cells: conditions, if any, and the object. */
function rowEnd(conditions: object, object: Uint8Array): Uint8Array {
  const members = encodeJsonText(conditions).slice(1, -1);
  return concatenated([encodeUtf8(members === '' ? '' : `,${members}`), OBJECT, object, CLOSE]);
}
