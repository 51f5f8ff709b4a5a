import { decodeJson, decodeJsonSteps, encodeJsonSteps, readLines } from '@ashlar/codec';
import { type Ambient, andThen, type MaybePromise, runInSlices } from '@ashlar/core';

/** The encoding of the client. */
export const MEDIA_TYPE = 'application/json';

/** Lists may be larger than request bodies of servers. */
const OF_ANY_SIZE = { maximumValues: Number.POSITIVE_INFINITY };

/** What decides about pauses: the client of a server's own controllers must not hold up its callers. */
export type CodecAmbient = Pick<Ambient, 'clock' | 'turns'>;

/** Encodes a request body, with pauses if it is large. */
export function encodeBody(value: unknown, ambient: CodecAmbient): MaybePromise<Uint8Array> {
  return runInSlices(encodeJsonSteps(value), ambient);
}

/** Decodes the body of an error. @throws DecodeError of the codec */
export function decodeErrorBody(bytes: Uint8Array): unknown {
  return decodeJson(bytes, OF_ANY_SIZE).value;
}

/** Decodes a response body, with pauses if it is large. @throws DecodeError of the codec, also from the promise */
export function decodeBody(bytes: Uint8Array, ambient: CodecAmbient): MaybePromise<unknown> {
  return andThen(runInSlices(decodeJsonSteps(bytes, OF_ANY_SIZE), ambient), ({ value }) => value);
}

/** Decodes a stream of values, one per line, with pauses in large ones. @throws DecodeError of the codec for an invalid line */
export async function* decodeStream(
  stream: AsyncIterable<Uint8Array>,
  ambient: CodecAmbient,
): AsyncGenerator<unknown> {
  for await (const line of readLines(stream)) {
    const value = decodeBody(line, ambient);
    yield value instanceof Promise ? await value : value;
  }
}
