import { encodeUtf8 } from '@ashlar/codec';
import { type ApiObject, concatenateBytes, type JsonValue, type Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { EncodedResource } from './encoded-resource.ts';
import { encodeText, encodeTextSteps, type Representation } from './representation.ts';
import { jsonOf, uncachedObjectOf } from './result-object.ts';

const NEWLINE: Uint8Array = encodeUtf8('\n');

/** Maximum size of objects whose JSON is cached: of larger ones, assembling it is a small part of the response. */
const CACHED_BYTES = 65_536;

/**
 * Encodes one object as a response body.
 * @param isRead whether the object is likely to be requested again, unlike one that was just written
 */
export function encodeObject(
  served: EncodedResource,
  result: ResultObject,
  representation: Representation,
  isRead: boolean,
): readonly Uint8Array[] {
  if (representation.format === 'json' && !representation.pretty) {
    return isRead && ObjectRecord.is(result) && result.stored.length <= CACHED_BYTES
      ? [served.jsonObjects.getOrEncode(result, jsonLine)]
      : [jsonOf(result), NEWLINE];
  }
  if (representation.format === 'protobuf') return served.protobuf.encode(result);
  if (representation.format === 'cbor') return [served.cbor.encode(result)];
  return [encodeText(uncachedObjectOf(result) as unknown as JsonValue, representation)];
}

/** As `encodeObject`, with pauses and without caches. */
export function* encodeObjectSteps(
  { protobuf, cbor }: EncodedResource,
  object: ApiObject,
  representation: Representation,
): Steps<readonly Uint8Array[]> {
  if (representation.format === 'protobuf') return yield* protobuf.encodeSteps(object);
  if (representation.format === 'cbor') return [yield* cbor.encodeSteps(object)];
  return [yield* encodeTextSteps(object as unknown as JsonValue, representation)];
}

const jsonLine = ({ json }: ObjectRecord): Uint8Array => concatenateBytes([json, NEWLINE]);
