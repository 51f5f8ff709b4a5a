import { checkRouteAccept, encodeJson } from '@ashlar/codec';
import type { JsonValue, ServerResponse } from '@ashlar/core';
import type { RequestScope } from '../pipeline/request-scope.ts';

/** A document that stands at a path of its own and changes only with the server, such as the keys of its tokens. */
export interface FixedDocument {
  readonly path: string;
  readonly mediaType: string;
  readonly content: JsonValue;
  /** Seconds for which caches may keep it. */
  readonly maxAgeSeconds: number;
}

/** Answers a path at which such a document stands; undefined for others. @throws StatusError 406 */
export function answerFixed(
  documents: readonly FixedDocument[] | undefined,
  { info, request }: RequestScope,
): ServerResponse | undefined {
  const path = info.path.length > 1 && info.path.endsWith('/') ? info.path.slice(0, -1) : info.path;
  const document = documents?.find((candidate) => candidate.path === path);
  if (!document || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined;
  const { mediaType, content, maxAgeSeconds } = document;
  const refused = checkRouteAccept(request.headers.get('accept'), [{ mediaType }], false);
  if (refused) throw refused;
  return {
    status: 200,
    headers: { 'content-type': mediaType, 'cache-control': `public, max-age=${maxAgeSeconds}` },
    body: encodeJson(content),
  };
}
