import { encodeJson } from '@ashlar/codec';
import type { ServerResponse } from '@ashlar/core';
import type { ApiCatalog, ServedGroupVersion } from './api-catalog.ts';
import { conditionalResponse } from './conditional-response.ts';
import { DocumentCache, type TaggedDocument, tagDocument } from './document-cache.ts';
import { builtInKinds, type OpenApiDocument, openApiDocument } from './openapi-document.ts';
import { chosenForm, type DocumentForm, JSON_FORM } from './openapi-forms.ts';
import { openApiV2Document } from './openapi-v2-document.ts';
import { encodeOpenApiV2 } from './openapi-v2-protobuf.ts';
import type { RequestScope } from './request-scope.ts';

/** Answers paths below `/openapi`; undefined for others. */
export type OpenApiHandler = (scope: RequestScope) => Promise<ServerResponse> | undefined;

/**
 * OpenAPI: v3 with an index and a document per group version, each under an address that changes with its content; v2 with one
 * document of everything, in JSON and Protobuf (semantics L3). All are made when they are first asked for.
 */
export function createOpenApiHandler(catalog: ApiCatalog, version = 'v1.32.0'): OpenApiHandler {
  const documents = new OpenApiDocuments(catalog, version);
  return (scope) => {
    const { path } = scope.info;
    if (path === V2_PATH) return answerV2(scope, documents);
    if (path === V3_PATH) return answerIndex(scope, documents);
    return path.startsWith(`${V3_PATH}/`)
      ? answerDocument(scope, documents, path.slice(V3_PATH.length + 1))
      : undefined;
  };
}

/** Where everything is described in one document, which is long enough to be sent compressed (semantics L3). */
export const V2_PATH = '/openapi/v2';
const V3_PATH = '/openapi/v3';

/** Documents of what a catalog serves, each made once for as long as it stays the same. */
class OpenApiDocuments {
  readonly #catalog: ApiCatalog;
  readonly #version: string;
  readonly #encoded: DocumentCache<TaggedDocument>;
  readonly #whole: DocumentCache<OpenApiDocument>;

  constructor(catalog: ApiCatalog, version: string) {
    this.#catalog = catalog;
    this.#version = version;
    this.#encoded = new DocumentCache(() => catalog.generation);
    this.#whole = new DocumentCache(() => catalog.generation);
  }

  /** Addresses of the documents of group versions, with what they describe. */
  served(): ReadonlyMap<string, ServedGroupVersion> {
    const found = new Map<string, ServedGroupVersion>();
    for (const group of this.#catalog.groups()) {
      for (const entry of this.#catalog.versions(group))
        found.set(group === '' ? `api/${entry.version}` : `apis/${group}/${entry.version}`, entry);
    }
    return found;
  }

  /** The document of a group version. */
  v3(path: string, entry: ServedGroupVersion): Promise<TaggedDocument> {
    return this.#encoded.get(`v3/${path}`, async () =>
      tagDocument(encodeJson(await this.#document(path, entry))),
    );
  }

  /** The index: where the documents are, with the hashes of what they are now. */
  index(): Promise<TaggedDocument> {
    return this.#encoded.get('index', async () => {
      const paths: Record<string, { serverRelativeURL: string }> = {};
      for (const [path, entry] of this.served())
        paths[path] = { serverRelativeURL: lastingAddress(path, await this.v3(path, entry)) };
      return tagDocument(encodeJson({ paths }));
    });
  }

  /** The document of everything; its tag is that of its JSON, whatever the form. */
  v2({ isProtobuf }: DocumentForm): Promise<TaggedDocument> {
    return this.#encoded.get(isProtobuf ? 'v2/protobuf' : 'v2/json', async () => {
      if (!isProtobuf) return tagDocument(encodeJson(await this.#v2Document()));
      const { tag } = await this.v2(JSON_FORM);
      return { tag, bytes: encodeOpenApiV2(await this.#v2Document()) };
    });
  }

  async #v2Document(): Promise<ReturnType<typeof openApiV2Document>> {
    const documents = [...this.served()].map(([path, entry]) => this.#document(path, entry));
    return openApiV2Document(await Promise.all(documents), this.#catalog.vocabulary);
  }

  #document(path: string, entry: ServedGroupVersion): Promise<OpenApiDocument> {
    const { vocabulary } = this.#catalog;
    return this.#whole.get(path, async () =>
      openApiDocument(entry, vocabulary, this.#version, builtInKinds(this.#catalog)),
    );
  }
}

function lastingAddress(path: string, { tag }: TaggedDocument): string {
  return `${V3_PATH}/${path}?hash=${tag.slice(1, -1)}`;
}

async function answerIndex({ request }: RequestScope, documents: OpenApiDocuments): Promise<ServerResponse> {
  const headers = { 'content-type': JSON_FORM.answered, vary: 'Accept' };
  return conditionalResponse(request, await documents.index(), headers);
}

async function answerV2({ request }: RequestScope, documents: OpenApiDocuments): Promise<ServerResponse> {
  const form = chosenForm(request.headers.get('accept'), 'v2');
  if (!form) return { status: 406, headers: { vary: V2_VARY } };
  const headers = { 'content-type': form.answered, vary: V2_VARY };
  return conditionalResponse(request, await documents.v2(form), headers);
}

const V2_VARY = ['Accept-Encoding', 'Accept'];

async function answerDocument(
  scope: RequestScope,
  documents: OpenApiDocuments,
  path: string,
): Promise<ServerResponse> {
  const { request, info } = scope;
  const entry = documents.served().get(path);
  if (!entry) return { status: 404, headers: {} };
  const form = chosenForm(request.headers.get('accept'), 'v3');
  if (!form) return { status: 406, headers: {} };
  const found = await documents.v3(path, entry);
  const headers = { 'content-type': form.answered, vary: 'Accept' };
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
