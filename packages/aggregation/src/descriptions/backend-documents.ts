import { decodeJsonSteps } from '@ashlar/codec';
import {
  type Ambient,
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqualSteps,
  type MaybePromise,
  runInSlices,
  type Steps,
} from '@ashlar/core';
import { type BackendConnection, callBackend } from '../backends/call-backend.ts';
import { resourcesInAggregatedSteps, resourcesInPlainSteps } from './discovered-resources.ts';

/** How long a server may take for one document. */
const TIMEOUT_MILLISECONDS = 5_000;
const DISCOVERY_BYTES = 4 * 1024 * 1024;
const OPENAPI_BYTES = 8 * 1024 * 1024;
/** Values in a document. */
const MAXIMUM_VALUES = 500_000;
const V3_PATH = '/openapi/v3';

/** A document with its entity tag. */
export interface TaggedDocument {
  readonly tag: string | undefined;
  readonly document: JsonValue;
}

/** A version of a group that another server describes. */
export interface DescribedVersion {
  readonly group: string;
  readonly version: string;
}

/** Asks other servers for what they publish. */
export class BackendDocuments {
  readonly #ambient: Ambient;

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
  }

  /**
   * The resources of a version, the known ones if they have not changed: from aggregated discovery where the server has it, otherwise
   * from the document of the version. Aggregated discovery that does not have the version says that there are none.
   * @throws Error if it has neither, or is not available
   */
  async resources(
    backend: BackendConnection,
    { group, version }: DescribedVersion,
    previous: readonly JsonObject[] | undefined,
  ): Promise<readonly JsonObject[]> {
    const aggregated = await this.#aggregatedDiscovery(backend);
    if (aggregated !== undefined) {
      const found = await this.#run(resourcesInAggregatedSteps(aggregated, group, version));
      return this.#lasting(found ?? [], previous);
    }
    const unaggregated = await this.#get(backend, `/apis/${group}/${version}`, DISCOVERY_BYTES, {
      accept: 'application/json',
    });
    const resources = unaggregated && (await this.#run(resourcesInPlainSteps(unaggregated.document)));
    if (!resources) throw new Error(`${backend.origin} does not describe ${group}/${version}`);
    return this.#lasting(resources, previous);
  }

  /** Undefined if the server does not have it, whatever it answers instead. */
  async #aggregatedDiscovery(backend: BackendConnection): Promise<JsonValue | undefined> {
    const group = groupName(this.#ambient.vocabulary, 'apidiscovery.');
    const accept = DISCOVERY_VERSIONS.map(
      (version) => `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`,
    ).join(',');
    const path = '/apis';
    const { status, headers, bytes } = await callBackend(backend, {
      ...{
        path,
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        maximumBytes: DISCOVERY_BYTES,
        headers: { accept },
      },
    });
    if (status === 503) throw new Error(`bad status from ${backend.origin}${path}: ${status}`);
    if (status !== 200 || !isAggregatedDiscovery(headers['content-type'] ?? '', group)) return undefined;
    return this.#decoded(bytes);
  }

  /** The OpenAPI v2 document; the known one if it has not changed, undefined if there is none. @throws Error */
  async openApiV2(
    backend: BackendConnection,
    previous: TaggedDocument | undefined,
  ): Promise<TaggedDocument | undefined> {
    const condition = previous?.tag === undefined ? {} : { 'if-none-match': previous.tag };
    const headers = { accept: 'application/json', ...condition };
    const found = await this.#get(backend, '/openapi/v2', OPENAPI_BYTES, headers, previous);
    if (!found || !previous || found === previous) return found;
    if (found.tag !== undefined || previous.tag !== undefined)
      return found.tag === previous.tag ? previous : found;
    return (await this.#lasting(found.document, previous.document)) === found.document ? found : previous;
  }

  /** The addresses in the index of OpenAPI v3 documents, by path. @throws Error */
  async openApiV3(backend: BackendConnection): Promise<ReadonlyMap<string, string> | undefined> {
    const index = await this.#get(backend, V3_PATH, DISCOVERY_BYTES, { accept: 'application/json' });
    const paths = index && isJsonObject(index.document) ? index.document.paths : undefined;
    if (paths === undefined || !isJsonObject(paths)) return undefined;
    return this.#run(addressesSteps(paths));
  }

  /** What was known before if it is equal to what was found. */
  async #lasting<T extends JsonValue>(found: T, previous: T | undefined): Promise<T> {
    return previous !== undefined && (await this.#run(jsonEqualSteps(found, previous))) ? previous : found;
  }

  #run<T>(steps: Steps<T>): MaybePromise<T> {
    return runInSlices(steps, this.#ambient);
  }

  async #get(
    backend: BackendConnection,
    path: string,
    maximumBytes: number,
    headers: Readonly<Record<string, string>>,
    previous?: TaggedDocument,
  ): Promise<TaggedDocument | undefined> {
    const question = { path, timeoutMilliseconds: TIMEOUT_MILLISECONDS, maximumBytes, headers };
    const { status, headers: received, bytes } = await callBackend(backend, question);
    if (status === 304) return previous;
    if (status === 404 || status === 406) return undefined;
    if (status !== 200) throw new Error(`bad status from ${backend.origin}${path}: ${status}`);
    return { tag: received.etag, document: await this.#decoded(bytes) };
  }

  async #decoded(bytes: Uint8Array): Promise<JsonValue> {
    const { value } = await this.#run(decodeJsonSteps(bytes, { maximumValues: MAXIMUM_VALUES }));
    return value;
  }
}

const DISCOVERY_VERSIONS = ['v2', 'v2beta1'];

/** Whether a media type is that of aggregated discovery: servers without it answer its path in other ways. */
function isAggregatedDiscovery(contentType: string, group: string): boolean {
  const [type = '', ...rest] = contentType.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string | undefined]));
  return (
    type.toLowerCase() === 'application/json' &&
    parameters.get('g') === group &&
    DISCOVERY_VERSIONS.includes(parameters.get('v') ?? '') &&
    parameters.get('as') === 'APIGroupDiscoveryList'
  );
}

/** Number of addresses that are read between two pauses. */
const READ_PER_STEP = 1024;

function* addressesSteps(paths: JsonObject): Steps<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>();
  for (const path in paths) {
    addresses.set(path, addressOf(path, paths[path] as JsonValue));
    if (addresses.size % READ_PER_STEP === 0) yield;
  }
  return addresses;
}

/** An address that is not one of documents would lead clients elsewhere. */
function addressOf(path: string, entry: JsonValue): string {
  const given = isJsonObject(entry) ? entry.serverRelativeURL : undefined;
  const isOwn = typeof given === 'string' && given.startsWith(`${V3_PATH}/`);
  return isOwn ? given : `${V3_PATH}/${path}`;
}
