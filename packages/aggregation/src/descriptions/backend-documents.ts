import { decodeJsonSteps } from '@ashlar/codec';
import {
  type Ambient,
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runInSlices,
} from '@ashlar/core';
import { type BackendConnection, callBackend } from '../backends/call-backend.ts';
import { resourcesInAggregated, resourcesInPlain } from './discovered-resources.ts';

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

/** Asks other servers for what they publish. */
export class BackendDocuments {
  readonly #ambient: Ambient;

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
  }

  /**
   * The resources of a version: from aggregated discovery where the server has it, otherwise from the document of the version.
   * @throws Error if it has neither
   */
  async resources(
    backend: BackendConnection,
    group: string,
    version: string,
  ): Promise<readonly JsonObject[]> {
    const name = groupName(this.#ambient.vocabulary, 'apidiscovery.');
    const forms = ['v2', 'v2beta1'].map(
      (each) => `application/json;g=${name};v=${each};as=APIGroupDiscoveryList`,
    );
    const aggregated = await this.#get(backend, '/apis', DISCOVERY_BYTES, { accept: forms.join(',') });
    const found = aggregated && resourcesInAggregated(aggregated.document, group, version);
    if (found) return found;
    const unaggregated = await this.#get(backend, `/apis/${group}/${version}`, DISCOVERY_BYTES, {
      accept: 'application/json',
    });
    const resources = unaggregated && resourcesInPlain(unaggregated.document);
    if (!resources) throw new Error(`${backend.origin} does not describe ${group}/${version}`);
    return resources;
  }

  /** The OpenAPI v2 document; the known one if it has not changed, undefined if there is none. @throws Error */
  openApiV2(
    backend: BackendConnection,
    previous: TaggedDocument | undefined,
  ): Promise<TaggedDocument | undefined> {
    return this.#getAgain(backend, '/openapi/v2', OPENAPI_BYTES, previous);
  }

  /** The addresses in the index of OpenAPI v3 documents, by path. @throws Error */
  async openApiV3(backend: BackendConnection): Promise<ReadonlyMap<string, string> | undefined> {
    const index = await this.#get(backend, V3_PATH, DISCOVERY_BYTES, { accept: 'application/json' });
    const paths = index && isJsonObject(index.document) ? index.document.paths : undefined;
    if (paths === undefined || !isJsonObject(paths)) return undefined;
    return new Map(Object.entries(paths).map(([path, entry]) => [path, addressOf(path, entry as JsonValue)]));
  }

  #getAgain(
    backend: BackendConnection,
    path: string,
    maximumBytes: number,
    previous: TaggedDocument | undefined,
  ): Promise<TaggedDocument | undefined> {
    const condition = previous?.tag === undefined ? {} : { 'if-none-match': previous.tag };
    return this.#get(backend, path, maximumBytes, { accept: 'application/json', ...condition }, previous);
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
    const steps = decodeJsonSteps(bytes, { maximumValues: MAXIMUM_VALUES });
    const { value } = await runInSlices(steps, this.#ambient);
    return { tag: received.etag, document: value };
  }
}

/** An address that is not one of documents would lead clients elsewhere. */
function addressOf(path: string, entry: JsonValue): string {
  const given = isJsonObject(entry) ? entry.serverRelativeURL : undefined;
  const isOwn = typeof given === 'string' && given.startsWith(`${V3_PATH}/`);
  return isOwn ? given : `${V3_PATH}/${path}`;
}
