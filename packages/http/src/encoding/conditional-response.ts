import type { ServerRequest, ServerResponse } from '@ashlar/core';
import type { TaggedDocument } from '../openapi/document-cache.ts';

type Headers = ServerResponse['headers'];

/**
 * Returns the response with a tagged document by RFC 9110 section 13: 412 if the client requires another tag, 304 if it has this one,
 * alone, in a list, weak or as `*`.
 */
export function conditionalResponse(
  { headers: asked }: ServerRequest,
  { bytes, tag }: TaggedDocument,
  headers: Headers,
): ServerResponse {
  const wanted = asked.get('if-match');
  if (wanted !== undefined && !names(wanted, tag)) return { status: 412, headers: { ...headers, etag: tag } };
  const cached = asked.get('if-none-match');
  if (cached !== undefined && names(cached, tag, (each) => each.replace(/^W\//, ''))) {
    const { 'content-type': _, ...rest } = headers;
    return { status: 304, headers: { ...rest, etag: tag } };
  }
  return { status: 200, headers: { ...headers, etag: tag }, body: bytes };
}

function names(header: string, tag: string, read: (each: string) => string = (each) => each): boolean {
  return header.trim() === '*' || header.split(',').some((each) => read(each.trim()) === tag);
}
