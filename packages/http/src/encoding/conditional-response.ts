import type { ServerRequest, ServerResponse } from '@ashlar/core';
import type { DatedDocument } from '../openapi/document-cache.ts';
import { rangeResponse } from './byte-range.ts';

type Headers = ServerResponse['headers'];

/**
 * Returns the response with a tagged document by RFC 9110 section 13: 412 if the client requires another tag, 304 if it has this one,
 * alone, in a list, weak or as `*`, or names no tag and a later time; else the bytes or a range of them.
 */
export function conditionalResponse(
  { headers: requestHeaders }: ServerRequest,
  { bytes, tag, modified }: DatedDocument,
  headers: Headers,
): ServerResponse {
  const ifMatch = requestHeaders.get('if-match');
  if (ifMatch !== undefined && !names(ifMatch, tag))
    return { status: 412, headers: { ...headers, etag: tag } };
  const ifNoneMatch = requestHeaders.get('if-none-match');
  const isCached =
    ifNoneMatch === undefined
      ? isSince(requestHeaders.get('if-modified-since'), modified)
      : names(ifNoneMatch, tag, (each) => each.replace(/^W\//, ''));
  if (isCached) {
    const { 'content-type': _, ...rest } = headers;
    return { status: 304, headers: { ...rest, etag: tag } };
  }
  const lastModified = new Date(modified).toUTCString();
  const range = requestHeaders.get('if-range') === undefined ? requestHeaders.get('range') : undefined;
  return rangeResponse(range, bytes, { ...headers, etag: tag, 'last-modified': lastModified });
}

/** Whether a header names a time of at least the second of a modification. */
const isSince = (header: string | undefined, modified: number): boolean =>
  header !== undefined && Date.parse(header) >= Math.floor(modified / 1000) * 1000;

function names(header: string, tag: string, read: (each: string) => string = (each) => each): boolean {
  return header.trim() === '*' || header.split(',').some((each) => read(each.trim()) === tag);
}
