import { encodeJson, negotiateAccept, objectMediaTypes, plainOnly } from '@ashlar/codec';
import { groupName, type JsonValue, type ServerResponse, StatusError, type Vocabulary } from '@ashlar/core';
import type { ApiCatalog } from './api-catalog.ts';
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.ts';
import { DocumentCache, documentResponse, type TaggedDocument, tagDocument } from './document-cache.ts';
import { isPretty } from './negotiate-response.ts';
import { PlainTextError } from './plain-text-error.ts';
import { encodeText, type Representation } from './representation.ts';
import type { RequestScope } from './request-scope.ts';
import { PAGE_NOT_FOUND, unroutedBelow } from './unrouted.ts';

/** Answers `/api`, `/apis` and what lies below them down to a group version; undefined for other paths. */
export type DiscoveryHandler = (scope: RequestScope) => Promise<ServerResponse> | undefined;

/** Discovery in its plain and its aggregated form (semantics L1, L2). */
export function createDiscoveryHandler(catalog: ApiCatalog, serverAddress: () => string): DiscoveryHandler {
  const aggregated = new DocumentCache<TaggedDocument>(() => catalog.generation);
  return (scope) => {
    const [root, ...below] = scope.info.path.split('/').filter((part) => part !== '');
    if (root !== 'api' && root !== 'apis') return undefined;
    const [first, second = '', ...more] = below;
    if (first === undefined) return answerRoot(scope, root);
    if (root === 'api') return below.length === 1 ? answerResources(catalog, scope, '', first) : undefined;
    if (below.length === 1) return answerGroup(catalog, scope, first);
    return more.length === 0 ? answerResources(catalog, scope, first, second) : undefined;
  };

  async function answerRoot(scope: RequestScope, root: 'api' | 'apis'): Promise<ServerResponse> {
    const version = aggregatedVersion(catalog.vocabulary, scope);
    if (version) return answerAggregated(scope, root, version);
    const document = root === 'api' ? apiVersions(catalog, serverAddress()) : apiGroupList(catalog);
    return answerPlain(catalog.vocabulary, scope, document);
  }

  async function answerAggregated(
    { request }: RequestScope,
    root: 'api' | 'apis',
    version: string,
  ): Promise<ServerResponse> {
    const document = await aggregated.get(`${root}/${version}`, () =>
      tagDocument(encodeJson(aggregatedDiscovery(catalog, root, version) as JsonValue, { newline: true })),
    );
    const group = discoveryGroup(catalog.vocabulary);
    const contentType = `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`;
    const headers = { 'content-type': contentType, vary: 'Accept', 'cache-control': 'public' };
    return documentResponse(request, document, headers);
  }
}

const discoveryGroup = (vocabulary: Vocabulary): string => groupName(vocabulary, 'apidiscovery.');

async function answerGroup(catalog: ApiCatalog, scope: RequestScope, group: string): Promise<ServerResponse> {
  const document = apiGroup(catalog, group);
  if (!document) throw new PlainTextError(404, PAGE_NOT_FOUND);
  return answerPlain(catalog.vocabulary, scope, document);
}

async function answerResources(
  catalog: ApiCatalog,
  scope: RequestScope,
  group: string,
  version: string,
): Promise<ServerResponse> {
  const document = await apiResourceList(catalog, group, version);
  if (!document) throw unroutedBelow(catalog, group);
  requireGet(scope);
  return answerPlain(catalog.vocabulary, scope, document);
}

/** Of all documents only lists of resources mind the method (semantics L1). @throws StatusError 405 */
function requireGet(scope: RequestScope): void {
  if (scope.request.method === 'GET' || scope.request.method === 'HEAD') return;
  scope.allow = ['GET', 'HEAD'];
  throw StatusError.methodNotAllowed();
}

/** The version of the aggregated form that the caller prefers to the plain one. */
function aggregatedVersion(vocabulary: Vocabulary, { request }: RequestScope): string | undefined {
  const group = discoveryGroup(vocabulary);
  const negotiated = negotiateAccept(
    request.headers.get('accept'),
    objectMediaTypes(vocabulary),
    (mediaType, transform) =>
      !transform ||
      (mediaType === 'application/json' &&
        transform.group === group &&
        (transform.version === 'v2' || transform.version === 'v2beta1') &&
        transform.kind === 'APIGroupDiscoveryList'),
  );
  return negotiated?.transform?.version;
}

function answerPlain(
  vocabulary: Vocabulary,
  { request, info }: RequestScope,
  document: object,
): ServerResponse {
  const types = objectMediaTypes(vocabulary);
  const negotiated = negotiateAccept(request.headers.get('accept'), types, plainOnly);
  if (!negotiated) throw StatusError.notAcceptable(types.map(({ mediaType }) => mediaType));
  const yaml = negotiated.mediaType === 'application/yaml';
  const representation: Representation = {
    format: yaml ? 'yaml' : 'json',
    contentType: yaml ? negotiated.mediaType : 'application/json',
    pretty: isPretty(request, info.query),
  };
  return {
    status: 200,
    headers: { 'content-type': representation.contentType },
    body: encodeText(document as JsonValue, representation),
  };
}
