import {
  CBOR_MEDIA_TYPE,
  checkRouteAccept,
  encodeJsonSteps,
  JSON_MEDIA_TYPE,
  negotiateAccept,
  notAcceptable,
  objectMediaTypes,
  plainOnly,
  type ServedMediaType,
  YAML_MEDIA_TYPE,
} from '@ashlar/codec';
import {
  type Ambient,
  doneSteps,
  groupName,
  type JsonValue,
  pause,
  runInSlices,
  type ServerResponse,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import type { AggregatedApis } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import { isPretty } from '../encoding/negotiate-response.ts';
import { encodeTextSteps } from '../encoding/representation.ts';
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
import {
  aggregatedDiscoverySteps,
  apiGroup,
  apiGroupListSteps,
  apiResourceListSteps,
  apiVersions,
  StorageVersionHashes,
} from './discovery.ts';
import { encodeDiscovery } from './discovery-protobuf.ts';
import { ListedGroups } from './listed-groups.ts';

/** Handles `/api`, `/apis` and the paths of groups and versions; returns undefined for other paths. */
export type DiscoveryHandler = (scope: RequestScope) => Promise<ServerResponse> | undefined;

/** What discovery describes, and in which formats. */
export interface DiscoveryOptions {
  readonly apis?: AggregatedApis | undefined;
  readonly serverAddress: () => string;
  /** Versions of the aggregated format. */
  readonly formats: readonly string[];
  readonly ambient: Pick<Ambient, 'clock' | 'turns'>;
}

/** Creates the handler of discovery in its plain and aggregated format (semantics/discovery#discovery, #aggregated-discovery). */
export function createDiscoveryHandler(catalog: ApiCatalog, options: DiscoveryOptions): DiscoveryHandler {
  const documents = new DiscoveryDocuments(catalog, options);
  return (scope) => {
    const { path } = scope.info;
    const [root, ...below] = (path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/');
    if (path.includes('//')) return undefined;
    if (root !== 'api' && root !== 'apis') return undefined;
    const [first, second = '', ...more] = below;
    if (first === undefined) return documents.root(scope, root);
    if (root === 'api') return below.length === 1 ? documents.resources(scope, '', first) : undefined;
    if (below.length === 1) return documents.group(scope, first);
    return more.length === 0 ? documents.resources(scope, first, second) : undefined;
  };
}

/** Entries of a document that takes more than a millisecond. */
const MANY_ENTRIES = 256;

/** Documents of discovery, each made once per generation: with many types or groups they are large. */
class DiscoveryDocuments {
  readonly #catalog: ApiCatalog;
  readonly #options: DiscoveryOptions;
  readonly #groups: DiscoveredGroups;
  readonly #listed: ListedGroups;
  readonly #hashes: StorageVersionHashes;
  readonly #aggregated: DocumentCache<TaggedDocument>;
  readonly #plain: DocumentCache<Uint8Array>;

  constructor(catalog: ApiCatalog, options: DiscoveryOptions) {
    const groups = new DiscoveredGroups(catalog, options.apis);
    const listed = new ListedGroups(catalog, options.apis);
    this.#catalog = catalog;
    this.#options = options;
    this.#groups = groups;
    this.#listed = listed;
    this.#hashes = new StorageVersionHashes(options.ambient);
    this.#aggregated = new DocumentCache(() => groups.generation);
    this.#plain = new DocumentCache(() => listed.generation);
  }

  async root(scope: RequestScope, root: 'api' | 'apis'): Promise<ServerResponse> {
    const { vocabulary } = this.#catalog;
    if (root === 'api') requireGet(scope.request.method);
    // with a slash at the end only the groups are plain
    const isPlain = scope.info.path === '/apis/';
    const form = isPlain ? undefined : aggregatedForm(vocabulary, scope, this.#options.formats);
    if (form) return this.#aggregatedResponse(scope, root, form);
    if (root === 'apis')
      return this.#plainResponse(scope, 'apis', async () => {
        await this.#inTurn(this.#listed.maximumCount);
        return apiGroupListSteps(this.#listed);
      });
    requireRoutable(objectMediaTypes(vocabulary), scope);
    return this.#smallResponse(scope, apiVersions(this.#catalog, this.#options.serverAddress()));
  }

  async group(scope: RequestScope, group: string): Promise<ServerResponse> {
    const document = apiGroup(this.#listed, group);
    if (!document) throw new PageNotFoundError();
    const { vocabulary } = this.#catalog;
    // the group of the API services has a route of its own, as the paths of versions have
    if (group === groupName(vocabulary, 'apiregistration.')) {
      requireGet(scope.request.method);
      requireRoutable(objectMediaTypes(vocabulary), scope);
    }
    return this.#smallResponse(scope, document);
  }

  async resources(scope: RequestScope, group: string, version: string): Promise<ServerResponse> {
    const { vocabulary, encodings } = this.#catalog;
    if (!this.#served(group, version)) throw pathNotFoundInGroup(this.#catalog, group);
    const isBuiltIn = isBuiltInGroup(this.#catalog, group);
    if (isBuiltIn) requireGet(scope.request.method);
    const types = objectMediaTypes(vocabulary, isBuiltIn ? encodings : {});
    if (isBuiltIn) requireRoutable(types, scope);
    return this.#plainResponse(scope, `${group}/${version}`, () => this.#resourceList(group, version), types);
  }

  async #resourceList(group: string, version: string): Promise<Steps<object>> {
    // it may have been removed since
    const served = this.#served(group, version);
    if (!served) throw pathNotFoundInGroup(this.#catalog, group);
    await this.#hashes.prepare(served);
    await this.#inTurn(served.resources.size);
    return apiResourceListSteps(served, this.#hashes);
  }

  /** Several documents may be asked for at once: large ones are begun one after the other. */
  #inTurn(entries: number): Promise<void> | undefined {
    return entries > MANY_ENTRIES ? pause(this.#options.ambient) : undefined;
  }

  /** Types and groups that are described. */
  #entries(): number {
    let entries = 0;
    for (const group of this.#catalog.groups())
      for (const { resources } of this.#catalog.versions(group)) entries += 1 + resources.size;
    return entries;
  }

  #served(group: string, version: string): ServedGroupVersion | undefined {
    return this.#catalog.versions(group).find((candidate) => candidate.version === version);
  }

  async #smallResponse(scope: RequestScope, document: object): Promise<ServerResponse> {
    const form = plainForm(objectMediaTypes(this.#catalog.vocabulary), scope);
    return plainlyResponded(form, await this.#encoded(doneSteps(document), form));
  }

  async #plainResponse(
    scope: RequestScope,
    key: string,
    make: () => Promise<Steps<object>>,
    types: readonly ServedMediaType[] = objectMediaTypes(this.#catalog.vocabulary),
  ): Promise<ServerResponse> {
    const form = plainForm(types, scope);
    const { mediaType, pretty } = form;
    const body = await this.#plain.get(`${key} ${mediaType} ${pretty}`, async () =>
      this.#encoded(await make(), form),
    );
    return plainlyResponded(form, body);
  }

  async #encoded(making: Steps<object>, form: PlainForm): Promise<Uint8Array> {
    const { ambient } = this.#options;
    return runInSlices(encodeDocumentSteps(await runInSlices(making, ambient), form), ambient);
  }

  async #aggregatedResponse(
    { request }: RequestScope,
    root: 'api' | 'apis',
    { mediaType, version }: AggregatedForm,
  ): Promise<ServerResponse> {
    const document = await this.#aggregated.get(`${root}/${version}/${mediaType}`, () =>
      this.#tagAggregated(aggregatedDiscoverySteps(this.#groups, root, version), mediaType),
    );
    const group = discoveryGroup(this.#catalog.vocabulary);
    const contentType = `${mediaType};g=${group};v=${version};as=APIGroupDiscoveryList`;
    const headers = { 'content-type': contentType, vary: 'Accept', 'cache-control': 'public' };
    return documentResponse(request, document, headers);
  }

  /** The tag is that of the JSON form, however the document is written. */
  async #tagAggregated(making: Steps<object>, mediaType: string): Promise<TaggedDocument> {
    const { ambient } = this.#options;
    await this.#inTurn(this.#entries());
    const document = await runInSlices(making, ambient);
    const json = await runInSlices(encodeJsonSteps(document, { newline: true }), ambient);
    const { bytes, tag } = await tagDocument(json);
    const form = { mediaType, pretty: false };
    const isJson = mediaType === JSON_MEDIA_TYPE;
    return { tag, bytes: isJson ? bytes : await runInSlices(encodeDocumentSteps(document, form), ambient) };
  }
}

const discoveryGroup = (vocabulary: Vocabulary): string => groupName(vocabulary, 'apidiscovery.');

/** Checks the Accept header for the routes of built-in groups (semantics/encodings#accept). @throws StatusError 406 */
function requireRoutable(types: readonly ServedMediaType[], { request }: RequestScope): void {
  const refused = checkRouteAccept(request.headers.get('accept'), types, false);
  if (refused) throw refused;
}

/** The negotiated aggregated format. */
interface AggregatedForm {
  readonly mediaType: string;
  readonly version: string;
}

/** Returns the aggregated format if the client accepts it, even if it prefers the plain one. */
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
      transform?.group === group &&
      formats.includes(transform.version) &&
      transform.kind === 'APIGroupDiscoveryList',
  );
  const version = negotiated?.transform?.version;
  return negotiated && version !== undefined ? { mediaType: negotiated.mediaType, version } : undefined;
}

/** The negotiated format of a plain document. */
interface PlainForm {
  readonly mediaType: string;
  readonly pretty: boolean;
}

/** @throws StatusError 406 */
function plainForm(types: readonly ServedMediaType[], { request, info }: RequestScope): PlainForm {
  const negotiated = negotiateAccept(request.headers.get('accept'), types, plainOnly);
  if (!negotiated) throw notAcceptable(types);
  const { mediaType, pretty } = negotiated;
  return { mediaType, pretty: pretty === true || isPretty(request, info.query) };
}

function plainlyResponded({ mediaType }: PlainForm, body: Uint8Array): ServerResponse {
  return { status: 200, headers: { 'content-type': mediaType }, body };
}

const TEXT_FORMATS: ReadonlyMap<string, 'json' | 'yaml' | 'cbor'> = new Map([
  [JSON_MEDIA_TYPE, 'json'],
  [YAML_MEDIA_TYPE, 'yaml'],
  [CBOR_MEDIA_TYPE, 'cbor'],
]);

function encodeDocumentSteps(document: object, { mediaType, pretty }: PlainForm): Steps<Uint8Array> {
  const format = TEXT_FORMATS.get(mediaType);
  if (!format) return doneSteps(encodeDiscovery(document));
  return encodeTextSteps(document as JsonValue, { format, contentType: mediaType, pretty });
}
