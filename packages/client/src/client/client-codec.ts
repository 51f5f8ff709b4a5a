import { decodeJson, encodeJson, readLines } from '@ashlar/codec';

/** The encoding of the client. */
export const MEDIA_TYPE = 'application/json';

/** Lists may be larger than request bodies of servers. */
const OF_ANY_SIZE = { maximumValues: Number.POSITIVE_INFINITY };

/** Encodes a request body. */
export function encodeBody(value: unknown): Uint8Array {
  return encodeJson(value);
}

/** Decodes a response body. @throws DecodeError of the codec */
export function decodeBody(bytes: Uint8Array): unknown {
  return decodeJson(bytes, OF_ANY_SIZE).value;
}

/** Decodes a stream of values, one per line. @throws DecodeError of the codec for an invalid line */
export async function* decodeStream(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of readLines(stream)) yield decodeJson(line, OF_ANY_SIZE).value;
}
