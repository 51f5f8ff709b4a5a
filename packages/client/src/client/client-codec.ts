import { decodeJson, encodeJson, readLines } from '@ashlar/codec';

/** The encoding of the client. */
export const MEDIA_TYPE = 'application/json';

/** Lists that the client asked for may be larger than what servers take. */
const OF_ANY_SIZE = { maximumValues: Number.POSITIVE_INFINITY };

/** A value as the body of a request. */
export function encodeBody(value: unknown): Uint8Array {
  return encodeJson(value);
}

/** A body of an answer as a value. @throws DecodeError of the codec where it is none */
export function decodeBody(bytes: Uint8Array): unknown {
  return decodeJson(bytes, OF_ANY_SIZE).value;
}

/** The values of a stream, one a line. @throws DecodeError of the codec where a line is none */
export async function* decodeStream(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of readLines(stream)) yield decodeJson(line, OF_ANY_SIZE).value;
}
