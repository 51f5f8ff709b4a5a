import { encodeJson } from '@ashlar/codec';
import type { JsonValue, ServerResponse } from '@ashlar/core';
import type { ApiCatalog, ServedGroupVersion } from './api-catalog.ts';
import { DocumentCache, documentResponse, type TaggedDocument, tagDocument } from './document-cache.ts';
import { builtInKinds, openApiDocument } from './openapi-document.ts';
import type { RequestScope } from './request-scope.ts';

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
/** How answers spell it: the sign at in the asked form is none that media types may have. */
const V2_ANSWERED = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const YEAR_SECONDS = 31_536_000;

/** Answers paths below `/openapi`; undefined for others. */
export type OpenApiHandler = (scope: RequestScope) => Promise<ServerResponse> | undefined;

/**
 * OpenAPI v3: an index and a document per group version, each under an address that changes with its content (semantics L3).
 * Of v2 only the Protobuf form is answered, with an empty document, which clients take as "nothing to check here".
 */
export function createOpenApiHandler(catalog: ApiCatalog, version = 'v1.32.0'): OpenApiHandler {
  const documents = new DocumentCache<TaggedDocument>(() => catalog.generation);
  return (scope) => {
    const { path } = scope.info;
    if (path === '/openapi/v2') return openApiV2(scope);
    if (path === '/openapi/v3') return index(scope);
    return path.startsWith('/openapi/v3/') ? document(scope, path.slice('/openapi/v3/'.length)) : undefined;
  };

  function served(): Map<string, ServedGroupVersion> {
    const found = new Map<string, ServedGroupVersion>();
    for (const group of catalog.groups()) {
      for (const entry of catalog.versions(group)) {
        found.set(group === '' ? `api/${entry.version}` : `apis/${group}/${entry.version}`, entry);
      }
    }
    return found;
  }

  function tagged(path: string, entry: ServedGroupVersion): Promise<TaggedDocument> {
    return documents.get(path, () =>
      tagDocument(encodeJson(openApiDocument(entry, catalog.vocabulary, version, builtInKinds(catalog)))),
    );
  }

  async function index({ request }: RequestScope): Promise<ServerResponse> {
    const found = await documents.get('', async () => {
      const paths: Record<string, object> = {};
      for (const [path, entry] of served()) {
        const { tag } = await tagged(path, entry);
        paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${tag.slice(1, -1)}` };
      }
      return tagDocument(encodeJson({ paths } as unknown as JsonValue));
    });
    return documentResponse(request, found, { 'content-type': 'application/json', vary: 'Accept' }, knowsTag);
  }

  async function document(scope: RequestScope, path: string): Promise<ServerResponse> {
    const entry = served().get(path);
    if (!entry) return { status: 404, headers: {} };
    if (!acceptsJson(scope.request.headers.get('accept'))) return { status: 406, headers: {} };
    const found = await tagged(path, entry);
    const hash = scope.info.query.get('hash');
    const own = found.tag.slice(1, -1);
    const headers = { 'content-type': 'application/json', vary: 'Accept' };
    if (hash && hash !== own) {
      return {
        status: 301,
        headers: { ...headers, etag: found.tag, location: `/openapi/v3/${path}?hash=${own}` },
      };
    }
    const lasting = hash ? { 'cache-control': 'public, immutable', expires: nextYear(scope) } : {};
    return documentResponse(scope.request, found, { ...headers, ...lasting }, knowsTag);
  }

  function nextYear({ now }: RequestScope): string {
    return new Date(now() + YEAR_SECONDS * 1000).toUTCString();
  }
}

async function openApiV2({ request }: RequestScope): Promise<ServerResponse> {
  const accept = request.headers.get('accept') ?? '';
  if (!accept.includes(V2_PROTOBUF)) return { status: 406, headers: {} };
  return {
    status: 200,
    headers: { 'content-type': V2_ANSWERED, vary: 'Accept-Encoding, Accept' },
    body: new Uint8Array(0),
  };
}

/** A list, a weak tag and `*` count, too. */
function knowsTag(header: string, tag: string): boolean {
  return header === '*' || header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}

function acceptsJson(accept: string | undefined): boolean {
  if (!accept) return true;
  return accept
    .split(',')
    .some((clause) =>
      ['application/json', 'application/*', '*/*'].includes(clause.split(';')[0]?.trim() ?? ''),
    );
}
