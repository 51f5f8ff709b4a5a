import { encodeJson } from '@ashlar/codec';
import type { ApiObject, JsonValue, Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';

/** Returns the object of a result; that of a record is decoded on each call, so that large lists do not stay in memory decoded. */
export function uncachedObjectOf(result: ResultObject): ApiObject {
  return ObjectRecord.is(result) ? result.decode() : result;
}

/** As `uncachedObjectOf`, with pauses, of which the last is after the object is decoded. */
export function* decodedSteps(record: ObjectRecord): Steps<ApiObject> {
  const object = yield* record.decodeSteps();
  yield;
  return object;
}

/** Returns the JSON of a result, without a line break; records slice it from their stored bytes. */
export function jsonOf(result: ResultObject): Uint8Array {
  return ObjectRecord.is(result) ? result.json : encodeJson(result as unknown as JsonValue);
}

/** Returns an object as an item of a typed list: without kind and version. */
export function withoutKind({ kind: _, apiVersion: __, ...rest }: ApiObject): object {
  return rest;
}
