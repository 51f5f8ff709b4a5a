import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipPieces } from './gzip-pieces.ts';

async function whole(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of gzipPieces(pieces)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('gzipPieces', () => {
  it('compresses many pieces as one stream', async () => {
    const piece = fc.tuple(fc.uint8Array({ maxLength: 50 }), fc.integer({ min: 1, max: 10_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (parts) => {
        const pieces = parts.map(([bytes, times]) =>
          Buffer.concat(Array.from({ length: times }, () => bytes)),
        );
        expect(gunzipSync(await whole(pieces))).toEqual(Buffer.concat(pieces));
      }),
      { numRuns: 8 },
    );
  });

  it('prefers speed to size', async () => {
    const zipped = await whole([Buffer.alloc(1_000_000, 'abcdefgh')]);
    expect(zipped.length).toBeLessThan(10_000);
    // the byte of the compression level: 4 is the fastest (RFC 1952 section 2.3.1)
    expect(zipped[8]).toBe(4);
  });

  it('stops when the reader stops', async () => {
    let accepted = 0;
    function* pieces(): Iterable<Uint8Array> {
      for (; accepted < 1000; accepted++) yield Buffer.alloc(300_000, accepted);
    }
    for await (const _ of gzipPieces(pieces() as unknown as readonly Uint8Array[])) break;
    expect(accepted).toBeLessThan(100);
  });
});
