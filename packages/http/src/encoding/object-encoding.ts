import { encodeJson, encodeUtf8 } from '@ashlar/codec';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { Answer } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { ServedResource } from '../catalog/served-resource.ts';
import { encodeText, type Representation } from './representation.ts';

const NEWLINE: Uint8Array = encodeUtf8('\n');

/** The object of an answer. */
export function objectOf(answer: Answer): ApiObject {
  return answer instanceof ObjectRecord ? answer.object : answer;
}

/** The object of an answer for one look; that of a record is decoded for it and not kept. */
export function glanceAt(answer: Answer): ApiObject {
  return answer instanceof ObjectRecord ? answer.decode() : answer;
}

/** The JSON of an answer, without a line break; cut from the stored bytes of records. */
export function jsonOf(answer: Answer): Uint8Array {
  return answer instanceof ObjectRecord ? answer.json : encodeJson(answer as unknown as JsonValue);
}

/** One object as the body of an answer. */
export function encodeObject(
  served: ServedResource,
  answer: Answer,
  representation: Representation,
): readonly Uint8Array[] {
  if (representation.format === 'json' && !representation.pretty) return [jsonOf(answer), NEWLINE];
  if (representation.format === 'protobuf') return served.protobuf.encode(answer);
  if (representation.format === 'cbor') return [served.cbor.encode(answer)];
  return [encodeText(glanceAt(answer) as unknown as JsonValue, representation)];
}

/** An object as an item of a list of its kind. */
export function withoutKind({ kind: _, apiVersion: __, ...rest }: ApiObject): object {
  return rest;
}
