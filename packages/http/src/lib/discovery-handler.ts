import { encodeJson, negotiateAccept, objectMediaTypes, plainOnly } from '@ashlar/codec';
import { groupName, type JsonValue, type ServerResponse, StatusError } from '@ashlar/core';
import type { ApiCatalog } from './api-catalog.ts';
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.ts';
import { DocumentCache, documentResponse, type TaggedDocument, tagDocument } from './document-cache.ts';
import { isPretty } from './negotiate-response.ts';
import { PlainTextError } from './plain-text-error.ts';
import { encodeText, type Representation } from './representation.ts';
import type { RequestScope } from './request-scope.ts';

/** Answers `/api`, `/apis` and what lies below them down to a group version; undefined for other paths. */
export type DiscoveryHandler = (scope: RequestScope) => Promise<ServerResponse> | undefined;

/** Discovery in its plain and its aggregated form (semantics L1, L2). */
export function createDiscoveryHandler(catalog: ApiCatalog, serverAddress: () => string): DiscoveryHandler {
  const aggregated = new DocumentCache<TaggedDocument>(() => catalog.generation);
  return (scope) => {
    const parts = scope.info.path.split('/').filter((part) => part !== '');
    const [root, first, second] = parts;
    if (root !== 'api' && root !== 'apis') return undefined;
    if (parts.length === 1) return answerRoot(scope, root);
    if (root === 'api' && parts.length === 2) return answerResources(scope, '', first ?? '');
    if (root === 'apis' && parts.length === 2)
      return answerDocument(scope, apiGroup(catalog, first ?? ''), false);
    return root === 'apis' && parts.length === 3
      ? answerResources(scope, first ?? '', second ?? '')
      : undefined;
  };

  async function answerResources(
    scope: RequestScope,
    group: string,
    version: string,
  ): Promise<ServerResponse> {
    const document = await apiResourceList(catalog, group, version);
    if (document) requireGet(scope);
    return answerDocument(scope, document, group === '' || isBuiltIn(group));
  }

  function isBuiltIn(group: string): boolean {
    return catalog
      .versions(group)
      .some(({ resources }) => [...resources.values()].some((r) => r.definition.dialect === 'built-in'));
  }

  async function answerRoot(scope: RequestScope, root: 'api' | 'apis'): Promise<ServerResponse> {
    const version = aggregatedVersion(scope);
    if (!version) {
      return plain(scope, root === 'api' ? apiVersions(catalog, serverAddress()) : apiGroupList(catalog));
    }
    const document = await aggregated.get(`${root}/${version}`, () =>
      tagDocument(encodeJson(aggregatedDiscovery(catalog, root, version) as JsonValue, { newline: true })),
    );
    const group = groupName(catalog.vocabulary, 'apidiscovery.');
    const contentType = `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`;
    return documentResponse(scope.request, document, {
      'content-type': contentType,
      vary: 'Accept',
      'cache-control': 'public',
    });
  }

  /** The version of the aggregated form that the caller prefers to the plain one. */
  function aggregatedVersion({ request }: RequestScope): string | undefined {
    const group = groupName(catalog.vocabulary, 'apidiscovery.');
    const negotiated = negotiateAccept(
      request.headers.get('accept'),
      objectMediaTypes(catalog.vocabulary),
      (mediaType, transform) => {
        if (!transform) return true;
        const known = transform.version === 'v2' || transform.version === 'v2beta1';
        return (
          mediaType === 'application/json' &&
          transform.group === group &&
          known &&
          transform.kind === 'APIGroupDiscoveryList'
        );
      },
    );
    return negotiated?.transform?.version;
  }

  async function answerDocument(
    scope: RequestScope,
    document: object | undefined,
    builtIn: boolean,
  ): Promise<ServerResponse> {
    if (document) return plain(scope, document);
    throw builtIn ? StatusError.pathNotFound() : new PlainTextError(404, '404 page not found\n');
  }

  function plain({ request, info }: RequestScope, document: object): ServerResponse {
    const negotiated = negotiateAccept(
      request.headers.get('accept'),
      objectMediaTypes(catalog.vocabulary),
      plainOnly,
    );
    if (!negotiated)
      throw StatusError.notAcceptable(objectMediaTypes(catalog.vocabulary).map(({ mediaType }) => mediaType));
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
}

/** Of all documents only lists of resources mind the method (semantics L1). @throws StatusError 405 */
function requireGet(scope: RequestScope): void {
  if (scope.request.method === 'GET' || scope.request.method === 'HEAD') return;
  scope.allow = ['GET', 'HEAD'];
  throw StatusError.methodNotAllowed();
}
