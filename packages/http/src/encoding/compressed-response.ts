import type { BodyPieces, ByteSink, ResponseBody, ServerRequest, ServerResponse } from '@ashlar/core';

/**
 * Compresses a body as gzip (RFC 1952), quick before small. Comes from the host: what compresses differs from one to the next.
 * What it throws is reported and cuts the answer.
 */
export type Compress = (pieces: Iterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** How answers are compressed, where they are. */
export interface Compression {
  readonly compress?: Compress;
  /** Told of what the compressor throws. */
  readonly onError?: (error: unknown, request: ServerRequest) => void;
}

/** Answers up to this length are sent as they are (semantics/encodings#compression). */
const LARGEST_PLAIN = 131_072;

/**
 * The answer compressed, where the caller takes gzip and it is long enough (semantics/encodings#compression). The pieces are handed on as they are, when
 * the answer is sent. Streams stay plain, and CBOR does, whose encoder upstream begins with a few bytes.
 */
export function compressedResponse(
  request: ServerRequest,
  response: ServerResponse,
  { compress, onError }: Compression,
): ServerResponse {
  const { headers, body } = response;
  const pieces = piecesOf(body);
  if (!compress || !pieces || headers['content-type'] === 'application/cbor') return response;
  if (!takesGzip(request.headers.get('accept-encoding')) || lengthOf(pieces) <= LARGEST_PLAIN)
    return response;
  return {
    status: response.status,
    headers: {
      ...headers,
      'content-encoding': 'gzip',
      vary: withEncoding(headers.vary),
    },
    body: (sink) => void send(compress(pieces), sink, (error) => onError?.(error, request)),
  };
}

function withEncoding(vary: string | readonly string[] | undefined): string | readonly string[] {
  if (vary === undefined) return 'Accept-Encoding';
  const named = [vary].flat();
  return named.includes('Accept-Encoding') ? named : [...named, 'Accept-Encoding'];
}

function piecesOf(body: ResponseBody | undefined): BodyPieces | undefined {
  if (body === undefined || typeof body === 'function') return undefined;
  return body instanceof Uint8Array ? [body] : body;
}

function lengthOf(pieces: BodyPieces): number {
  if ('size' in pieces) return pieces.size;
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

/** The name alone counts: with a quality behind it, it is another. */
function takesGzip(header: string | undefined): boolean {
  return header?.split(',').some((token) => token.trim() === 'gzip') === true;
}

/** Writes no faster than the reader reads, and nothing for one who is gone. */
async function send(
  chunks: AsyncIterable<Uint8Array>,
  sink: ByteSink,
  onError: (error: unknown) => void,
): Promise<void> {
  let open = true;
  let resume = (): void => {};
  sink.onClose(() => {
    open = false;
    resume();
  });
  try {
    for await (const chunk of chunks) {
      if (!open) return;
      if (sink.write(chunk)) continue;
      await new Promise<void>((resolve) => {
        resume = resolve;
        sink.onDrain(resolve);
      });
    }
    sink.end();
  } catch (error) {
    onError(error);
    sink.destroy();
  }
}
