import {
  checkRouteAccept,
  encodeJson,
  JSON_MEDIA_TYPE,
  negotiateAccept,
  notAcceptable,
  objectMediaTypes,
  plainOnly,
  YAML_MEDIA_TYPE,
} from '@ashlar/codec';
import { groupName, type JsonValue, type ServerResponse, type Vocabulary } from '@ashlar/core';
import type { AggregatedApis } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import { isPretty } from '../encoding/negotiate-response.ts';
import { encodeText } from '../encoding/representation.ts';
import {
  DocumentCache,
  documentResponse,
  type TaggedDocument,
  tagDocument,
} from '../openapi/document-cache.ts';
import { isBuiltInGroup, PageNotFoundError, pathNotFoundInGroup } from '../pipeline/path-not-found.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { requireGet } from '../request/require-get.ts';
import { DiscoveredGroups } from './discovered-groups.ts';
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.ts';
import { encodeDiscovery } from './discovery-protobuf.ts';

/** Handles `/api`, `/apis` and the paths of groups and versions; returns undefined for other paths. */
export type DiscoveryHandler = (scope: RequestScope) => Promise<ServerResponse> | undefined;

/** What discovery describes, and in which formats. */
export interface DiscoveryOptions {
  readonly apis?: AggregatedApis | undefined;
  readonly serverAddress: () => string;
  /** Versions of the aggregated format. */
  readonly formats: readonly string[];
}

/** Creates the handler of discovery in its plain and aggregated format (semantics/discovery#discovery, #aggregated-discovery). */
export function createDiscoveryHandler(
  catalog: ApiCatalog,
  { apis, serverAddress, formats }: DiscoveryOptions,
): DiscoveryHandler {
  const groups = new DiscoveredGroups(catalog, apis);
  const aggregated = new DocumentCache<TaggedDocument>(() => groups.generation);
  return (scope) => {
    const { path } = scope.info;
    const [root, ...below] = (path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/');
    if (path.includes('//')) return undefined;
    if (root !== 'api' && root !== 'apis') return undefined;
    const [first, second = '', ...more] = below;
    if (first === undefined) return rootResponse(scope, root);
    if (root === 'api')
      return below.length === 1 ? resourceListResponse(catalog, scope, '', first) : undefined;
    if (below.length === 1) return groupResponse(groups, scope, first);
    return more.length === 0 ? resourceListResponse(catalog, scope, first, second) : undefined;
  };

  async function rootResponse(scope: RequestScope, root: 'api' | 'apis'): Promise<ServerResponse> {
    if (root === 'api') requireGet(scope.request.method);
    // with a slash at the end only the groups are plain
    const isPlain = scope.info.path === '/apis/';
    const form = isPlain ? undefined : aggregatedForm(catalog.vocabulary, scope, formats);
    if (form) return aggregatedResponse(scope, root, form);
    if (root === 'apis') return negotiatedResponse(catalog.vocabulary, scope, apiGroupList(groups));
    requireRoutable(catalog.vocabulary, scope);
    return negotiatedResponse(catalog.vocabulary, scope, apiVersions(catalog, serverAddress()));
  }

  async function aggregatedResponse(
    { request }: RequestScope,
    root: 'api' | 'apis',
    { mediaType, version }: AggregatedForm,
  ): Promise<ServerResponse> {
    const document = await aggregated.get(`${root}/${version}/${mediaType}`, () =>
      tagAggregated(aggregatedDiscovery(groups, root, version), mediaType),
    );
    const group = discoveryGroup(catalog.vocabulary);
    const contentType = `${mediaType};g=${group};v=${version};as=APIGroupDiscoveryList`;
    const headers = { 'content-type': contentType, vary: 'Accept', 'cache-control': 'public' };
    return documentResponse(request, document, headers);
  }
}

const discoveryGroup = (vocabulary: Vocabulary): string => groupName(vocabulary, 'apidiscovery.');

async function groupResponse(
  groups: DiscoveredGroups,
  scope: RequestScope,
  group: string,
): Promise<ServerResponse> {
  const document = apiGroup(groups, group);
  if (!document) throw new PageNotFoundError();
  return negotiatedResponse(groups.vocabulary, scope, document);
}

async function resourceListResponse(
  catalog: ApiCatalog,
  scope: RequestScope,
  group: string,
  version: string,
): Promise<ServerResponse> {
  const document = await apiResourceList(catalog, group, version);
  if (!document) throw pathNotFoundInGroup(catalog, group);
  requireGet(scope.request.method);
  if (isBuiltInGroup(catalog, group)) requireRoutable(catalog.vocabulary, scope);
  return negotiatedResponse(catalog.vocabulary, scope, document);
}

/** Checks the Accept header for the routes of built-in groups (semantics/encodings#accept). @throws StatusError 406 */
function requireRoutable(vocabulary: Vocabulary, { request }: RequestScope): void {
  const refused = checkRouteAccept(request.headers.get('accept'), objectMediaTypes(vocabulary), false);
  if (refused) throw refused;
}

/** The negotiated aggregated format. */
interface AggregatedForm {
  readonly mediaType: string;
  readonly version: string;
}

/** Returns the aggregated format if the client prefers it to the plain one. */
function aggregatedForm(
  vocabulary: Vocabulary,
  { request }: RequestScope,
  formats: readonly string[],
): AggregatedForm | undefined {
  const group = discoveryGroup(vocabulary);
  const negotiated = negotiateAccept(
    request.headers.get('accept'),
    objectMediaTypes(vocabulary),
    (_, transform) =>
      !transform ||
      (transform.group === group &&
        formats.includes(transform.version) &&
        transform.kind === 'APIGroupDiscoveryList'),
  );
  const version = negotiated?.transform?.version;
  return negotiated && version !== undefined ? { mediaType: negotiated.mediaType, version } : undefined;
}

/** The tag is that of the JSON form, however the document is written. */
async function tagAggregated(document: object, mediaType: string): Promise<TaggedDocument> {
  const { bytes, tag } = await tagDocument(encodeJson(document, { newline: true }));
  return { tag, bytes: mediaType === JSON_MEDIA_TYPE ? bytes : encodeDocument(document, mediaType, false) };
}

function negotiatedResponse(
  vocabulary: Vocabulary,
  { request, info }: RequestScope,
  document: object,
): ServerResponse {
  const types = objectMediaTypes(vocabulary);
  const negotiated = negotiateAccept(request.headers.get('accept'), types, plainOnly);
  if (!negotiated) throw notAcceptable(types);
  const { mediaType, pretty } = negotiated;
  const body = encodeDocument(document, mediaType, pretty === true || isPretty(request, info.query));
  return { status: 200, headers: { 'content-type': mediaType }, body };
}

function encodeDocument(document: object, mediaType: string, pretty: boolean): Uint8Array {
  if (mediaType !== JSON_MEDIA_TYPE && mediaType !== YAML_MEDIA_TYPE) return encodeDiscovery(document);
  const format = mediaType === YAML_MEDIA_TYPE ? 'yaml' : 'json';
  return encodeText(document as JsonValue, { format, contentType: mediaType, pretty });
}
