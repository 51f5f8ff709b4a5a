import type { ServerRequest, ServerResponse } from '@ashlar/core';
import type { DatedDocument } from '../openapi/document-cache.ts';
import { rangeResponse } from './byte-range.ts';

type Headers = ServerResponse['headers'];

/**
 * Returns the response with a tagged document by RFC 9110 section 13: 412 if the client requires another tag, or an older document; 304
 * if it has this one, alone, in a list, weak or as `*`, or names no tag and a later time; else the bytes or a range of them. Empty fields
 * and dates that cannot be read count as absent.
 */
export function conditionalResponse(
  { method, headers: requestHeaders }: ServerRequest,
  { bytes, tag, modified }: DatedDocument,
  headers: Headers,
): ServerResponse {
  const field = (name: string): string | undefined => requestHeaders.get(name) || undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const failed = (): ServerResponse => ({ status: 412, headers: { ...headers, etag: tag } });
  if (!isRequired(field, tag, modified)) return failed();
  const ifNoneMatch = field('if-none-match');
  const isCached =
    ifNoneMatch === undefined
      ? isRead && isSince(field('if-modified-since'), modified)
      : names(ifNoneMatch, tag, (each) => each.replace(/^W\//, ''));
  if (isCached && !isRead) return failed();
  if (isCached) {
    const { 'content-type': _, ...rest } = headers;
    return { status: 304, headers: { ...rest, etag: tag } };
  }
  const lastModified = new Date(modified).toUTCString();
  const ifRange = isRead ? field('if-range') : undefined;
  const range = ifRange === undefined || isSame(ifRange, tag, modified) ? field('range') : undefined;
  return rangeResponse(range, bytes, { ...headers, etag: tag, 'last-modified': lastModified });
}

const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Whether the document is the one that the client requires. */
function isRequired(field: (name: string) => string | undefined, tag: string, modified: number): boolean {
  const ifMatch = field('if-match');
  if (ifMatch !== undefined) return names(ifMatch, tag);
  const latest = Date.parse(field('if-unmodified-since') ?? '');
  return Number.isNaN(latest) || secondsOf(modified) <= secondsOf(latest);
}

/** Whether a header names a time of at least the second of a modification. */
const isSince = (header: string | undefined, modified: number): boolean =>
  header !== undefined && secondsOf(Date.parse(header)) >= secondsOf(modified);

/** Whether a header names the tag, or the second of a modification. */
const isSame = (header: string, tag: string, modified: number): boolean =>
  header.trim() === tag || secondsOf(Date.parse(header)) === secondsOf(modified);

function names(header: string, tag: string, read: (each: string) => string = (each) => each): boolean {
  return header.trim() === '*' || header.split(',').some((each) => read(each.trim()) === tag);
}
