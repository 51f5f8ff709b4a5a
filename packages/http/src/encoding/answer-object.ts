import { encodeJson } from '@ashlar/codec';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { Answer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';

/** Returns the object of an answer; a record caches it. */
export function objectOf(answer: Answer): ApiObject {
  return answer instanceof ObjectRecord ? answer.object : answer;
}

/** Returns the object of an answer; that of a record is decoded on each call, so that large lists do not stay in memory decoded. */
export function uncachedObjectOf(answer: Answer): ApiObject {
  return answer instanceof ObjectRecord ? answer.decode() : answer;
}

/** Returns the JSON of an answer, without a line break; records slice it from their stored bytes. */
export function jsonOf(answer: Answer): Uint8Array {
  return answer instanceof ObjectRecord ? answer.json : encodeJson(answer as unknown as JsonValue);
}

/** Returns an object as an item of a typed list: without kind and version. */
export function withoutKind({ kind: _, apiVersion: __, ...rest }: ApiObject): object {
  return rest;
}
