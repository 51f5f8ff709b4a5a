import type { ServerResponse } from '@ashlar/core';

type Headers = ServerResponse['headers'];

/** A part of a document: from the first byte to before the last. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the response with the bytes that a `Range` header asks for, or all of them (RFC 9110 section 14.2). Several ranges at
 * once are ignored, as that section allows.
 * @param range the header; undefined if there is none
 * @param headers of a response with all bytes
 */
export function rangeResponse(
  range: string | undefined,
  bytes: Uint8Array,
  headers: Headers,
): ServerResponse {
  const all = { ...headers, 'accept-ranges': 'bytes' };
  if (range === undefined || range.includes(',')) return { status: 200, headers: all, body: bytes };
  const found = parseRange(range, bytes.length);
  if (typeof found === 'string') return refusal(found, bytes.length, headers);
  const contentRange = `bytes ${found.from}-${found.to - 1}/${bytes.length}`;
  return {
    status: 206,
    headers: { ...all, 'content-range': contentRange },
    body: bytes.subarray(found.from, found.to),
  };
}

/** Returns the range, or why there is none. */
function parseRange(header: string, length: number): ByteRange | string {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === '' && last === '') return 'invalid range';
  if (first === '') return { from: Math.max(0, length - Number(last)), to: length };
  if (last !== '' && Number(last) < Number(first)) return 'invalid range';
  if (Number(first) >= length) return NO_OVERLAP;
  return { from: Number(first), to: last === '' ? length : Math.min(length, Number(last) + 1) };
}

const NO_OVERLAP = 'invalid range: failed to overlap';

function refusal(why: string, length: number, { vary }: Headers): ServerResponse {
  return {
    status: 416,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      ...(vary !== undefined && { vary }),
      ...(why === NO_OVERLAP && { 'content-range': `bytes */${length}` }),
    },
    body: new TextEncoder().encode(`${why}\n`),
  };
}
