import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';

/** Each piece costs a round trip to the thread pool: small ones are joined. */
const SLAB_BYTES = 256 * 1024;
const OUTPUT_BYTES = 64 * 1024;

/**
 * Compresses pieces as one gzip stream (RFC 1952), preferring speed to size: level 1. Runs in the thread
 * pool, and compresses only as much as the reader requests.
 * @example
 * createApiHandler({ ...options, compress: gzipPieces });
 */
export function gzipPieces(pieces: Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: OUTPUT_BYTES });
  return Readable.from(slabs(pieces), { objectMode: false }).pipe(gzip);
}

function* slabs(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < SLAB_BYTES) continue;
    yield joined(waiting, size);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield joined(waiting, size);
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces, size);
}
