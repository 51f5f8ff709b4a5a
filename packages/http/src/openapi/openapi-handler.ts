import type { ServerResponse } from '@ashlar/core';
import { forwardTo } from '../aggregated/forward-request.ts';
import { conditionalResponse } from '../encoding/conditional-response.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { lastingAddress, OpenApiDocuments, type OpenApiSources, V3_PATH } from './openapi-documents.ts';
import { chosenForm, JSON_FORM } from './openapi-forms.ts';

/** Handles paths below `/openapi`; returns undefined for others. */
export type OpenApiHandler = (scope: RequestScope) => Promise<ServerResponse> | undefined;

export interface OpenApiHandlerOptions extends OpenApiSources {
  /** Maximum duration of requests for documents of other servers. */
  readonly longestMilliseconds: number;
}

/**
 * Creates the handler of OpenAPI: v3 with an index and a document per group version, each at a path that
 * changes with its content; v2 with one document of everything. Documents are in JSON and Protobuf, and
 * created on first use (semantics/discovery#openapi).
 */
export function createOpenApiHandler(options: OpenApiHandlerOptions): OpenApiHandler {
  const { aggregated, longestMilliseconds } = options;
  const documents = new OpenApiDocuments(options);
  const forwarded = (scope: RequestScope, path: string): Promise<ServerResponse> | undefined => {
    const handler = documents.served().has(path) ? undefined : aggregated?.handlerOfDocument(path);
    return handler && forwardTo(handler, scope, longestMilliseconds);
  };
  return (scope) => {
    const { path } = scope.info;
    if (path === V2_PATH) return v2Response(scope, documents);
    if (path === V3_PATH) return indexResponse(scope, documents);
    if (!path.startsWith(`${V3_PATH}/`)) return undefined;
    const document = path.slice(V3_PATH.length + 1);
    return forwarded(scope, document) ?? documentResponse(scope, documents, document);
  };
}

/** Path of the v2 document, which is long enough to be compressed (semantics/discovery#openapi). */
export const V2_PATH = '/openapi/v2';

async function indexResponse(
  { request }: RequestScope,
  documents: OpenApiDocuments,
): Promise<ServerResponse> {
  const headers = { 'content-type': JSON_FORM.response, vary: 'Accept' };
  return conditionalResponse(request, await documents.index(), headers);
}

async function v2Response({ request }: RequestScope, documents: OpenApiDocuments): Promise<ServerResponse> {
  const form = chosenForm(request.headers.get('accept'), 'v2');
  if (!form) return { status: 406, headers: { vary: V2_VARY } };
  const headers = { 'content-type': form.response, vary: V2_VARY };
  return conditionalResponse(request, await documents.v2(form), headers);
}

const V2_VARY = ['Accept-Encoding', 'Accept'];

async function documentResponse(
  scope: RequestScope,
  documents: OpenApiDocuments,
  path: string,
): Promise<ServerResponse> {
  const { request, info } = scope;
  if (!documents.served().has(path)) return { status: 404, headers: {} };
  const form = chosenForm(request.headers.get('accept'), 'v3');
  if (!form) return { status: 406, headers: { vary: 'Accept' } };
  const found = await documents.v3(path, form);
  if (!found) return { status: 404, headers: {} };
  const headers = { 'content-type': form.response, vary: 'Accept' };
  const hash = info.query.get('hash');
  const address = lastingAddress(path, found);
  if (hash && !address.endsWith(`=${hash}`))
    return { status: 301, headers: { ...headers, etag: found.tag, location: address } };
  const lasting = hash && { 'cache-control': 'public, immutable', expires: nextYear(scope) };
  return conditionalResponse(request, found, { ...headers, ...lasting });
}

const YEAR_SECONDS = 31_536_000;

function nextYear({ now }: RequestScope): string {
  return new Date(now() + YEAR_SECONDS * 1000).toUTCString();
}
