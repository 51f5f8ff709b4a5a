import { encodeUtf8 } from '@ashlar/codec';
import type { JsonValue } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import type { EncodedResource } from './encoded-resource.ts';
import { encodeText, type Representation } from './representation.ts';
import { jsonOf, uncachedObjectOf } from './result-object.ts';

const NEWLINE: Uint8Array = encodeUtf8('\n');

/** Encodes one object as a response body. */
export function encodeObject(
  served: EncodedResource,
  answer: ResultObject,
  representation: Representation,
): readonly Uint8Array[] {
  if (representation.format === 'json' && !representation.pretty) return [jsonOf(answer), NEWLINE];
  if (representation.format === 'protobuf') return served.protobuf.encode(answer);
  if (representation.format === 'cbor') return [served.cbor.encode(answer)];
  return [encodeText(uncachedObjectOf(answer) as unknown as JsonValue, representation)];
}
