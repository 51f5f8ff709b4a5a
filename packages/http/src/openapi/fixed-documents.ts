import { checkRouteAccept, encodeJson } from '@ashlar/codec';
import type { JsonValue, ServerResponse } from '@ashlar/core';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { requireGet } from '../request/require-get.ts';

/** A document at a fixed path that never changes while the server runs, such as the keys of its tokens. */
export interface FixedDocument {
  readonly path: string;
  readonly mediaType: string;
  readonly content: JsonValue;
  /** Seconds for which clients may cache it. */
  readonly maxAgeSeconds: number;
  /** How OpenAPI describes reading it. */
  readonly operation: { readonly id: string; readonly tag: string; readonly description: string };
}

/** Handles the paths of fixed documents; returns undefined for others. @throws StatusError 405, 406 */
export function fixedDocumentResponse(
  documents: readonly FixedDocument[] | undefined,
  { info, request }: RequestScope,
): ServerResponse | undefined {
  const path = info.path.length > 1 && info.path.endsWith('/') ? info.path.slice(0, -1) : info.path;
  const document = documents?.find((candidate) => candidate.path === path);
  if (!document) return undefined;
  requireGet(request.method);
  const { mediaType, content, maxAgeSeconds } = document;
  const refused = checkRouteAccept(request.headers.get('accept'), [{ mediaType }], false);
  if (refused) throw refused;
  return {
    status: 200,
    headers: { 'content-type': mediaType, 'cache-control': `public, max-age=${maxAgeSeconds}` },
    body: encodeJson(content),
  };
}
