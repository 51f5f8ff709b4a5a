import {
  type BodyPieces,
  type ByteSink,
  type ResponseBody,
  type ServerRequest,
  type ServerResponse,
  sizeOfPieces,
} from '@ashlar/core';

/**
 * Compresses a body as gzip (RFC 1952), preferring speed to size. Provided by the host: implementations differ between platforms.
 * Errors are reported and end the response.
 */
export type Compress = (pieces: Iterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** Options of compression. */
export interface Compression {
  readonly compress?: Compress;
  /** Called with errors of the compressor. */
  readonly onError?: (error: unknown, request: ServerRequest) => void;
}

/** Maximum length of responses that are not compressed (semantics/encodings#compression). */
const LARGEST_PLAIN = 131_072;

/**
 * Compresses a response if the client accepts gzip and it is long enough (semantics/encodings#compression), while it is sent. Streams are
 * never compressed, and neither is CBOR, as on the reference server.
 */
export function compressedResponse(
  request: ServerRequest,
  response: ServerResponse,
  { compress, onError }: Compression,
): ServerResponse {
  const { headers, body } = response;
  const pieces = piecesOf(body);
  if (!compress || !pieces || headers['content-type'] === 'application/cbor') return response;
  if (!acceptsGzip(request.headers.get('accept-encoding')) || sizeOfPieces(pieces) <= LARGEST_PLAIN)
    return response;
  const varied = { ...response, headers: { ...headers, vary: withEncoding(headers.vary) } };
  return gzipped(request, varied, { compress, ...(onError && { onError }) });
}

/** Compresses a response of any length while it is sent; returns it as it is where nothing compresses, and for streams. */
export function gzipped(
  request: ServerRequest,
  response: ServerResponse,
  { compress, onError }: Compression,
): ServerResponse {
  const pieces = piecesOf(response.body);
  if (!compress || !pieces) return response;
  return {
    status: response.status,
    headers: { ...response.headers, 'content-encoding': 'gzip' },
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

/** Whether the header contains exactly `gzip`; with a quality value it does not count. */
function acceptsGzip(header: string | undefined): boolean {
  return header?.split(',').some((token) => token.trim() === 'gzip') === true;
}

/** Sends chunks with back-pressure, and stops if the client disconnects. */
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
