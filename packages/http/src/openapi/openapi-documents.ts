import { encodeJson } from '@ashlar/codec';
import type { Clock, Vocabulary } from '@ashlar/core';
import type { AggregatedApis } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { type DatedDocument, DocumentCache, tagDocument } from './document-cache.ts';
import { mergedV2Document } from './merged-v2-document.ts';
import { builtInKinds, type OpenApiDocument, openApiDocument } from './openapi-document.ts';
import { type DocumentForm, JSON_FORM } from './openapi-forms.ts';
import { openApiV2Document } from './openapi-v2-document.ts';
import { encodeOpenApiV2 } from './openapi-v2-protobuf.ts';
import { encodeOpenApiV3 } from './openapi-v3-protobuf.ts';

/** Root of the v3 documents, one for each group version. */
export const V3_PATH = '/openapi/v3';

export interface OpenApiSources {
  readonly catalog: ApiCatalog;
  readonly aggregated?: AggregatedApis | undefined;
  /** Of the server, shown in documents. */
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Documents of a catalog and of the servers behind it, each created once per generation. */
export class OpenApiDocuments {
  readonly #catalog: ApiCatalog;
  readonly #aggregated: AggregatedApis | undefined;
  readonly #version: string;
  readonly #now: () => number;
  readonly #ofAll: DocumentCache<DatedDocument>;
  readonly #described: Map<string, DescribedVersion> = new Map();
  #kinds: ReturnType<typeof builtInKinds> = new Map();
  #kindsOf = -1;

  constructor({ catalog, aggregated, version, clock }: OpenApiSources) {
    this.#catalog = catalog;
    this.#aggregated = aggregated;
    this.#version = version;
    this.#now = () => clock.now();
    this.#ofAll = new DocumentCache(() => catalog.generation + (aggregated?.generation ?? 0));
  }

  /** Addresses and contents of the documents of group versions that this server serves. */
  served(): ReadonlyMap<string, ServedGroupVersion> {
    const found = new Map<string, ServedGroupVersion>();
    for (const group of this.#catalog.groups()) {
      for (const entry of this.#catalog.versions(group))
        if (!this.#aggregated?.handlerOf(group, entry.version))
          found.set(group === '' ? `api/${entry.version}` : `apis/${group}/${entry.version}`, entry);
    }
    return found;
  }

  /** Returns the document of a group version; its ETag is that of its JSON, in any format. */
  v3(
    path: string,
    entry: ServedGroupVersion,
    { isProtobuf }: DocumentForm = JSON_FORM,
  ): Promise<DatedDocument> {
    const described = this.#describe(path, entry);
    const now = this.#now();
    return isProtobuf ? described.taggedProtobuf(now) : described.tagged(now);
  }

  /** Returns the index: the paths of the documents with their hashes, those of other servers included. */
  index(): Promise<DatedDocument> {
    return this.#ofAll.get('index', async () => {
      const paths: Record<string, { serverRelativeURL: string }> = {};
      const served = this.served();
      for (const path of this.#described.keys()) if (!served.has(path)) this.#described.delete(path);
      for (const [path, entry] of served)
        paths[path] = { serverRelativeURL: lastingAddress(path, await this.v3(path, entry)) };
      for (const { v3 } of this.#aggregated?.published() ?? []) {
        // what this server serves, or what another one has published before, is not theirs
        for (const [path, serverRelativeURL] of v3 ?? []) paths[path] ??= { serverRelativeURL };
      }
      return dateDocument(encodeJson({ paths }), this.#now());
    });
  }

  /** Returns the v2 document of all groups; its ETag is that of its JSON, in any format. */
  v2({ isProtobuf }: DocumentForm): Promise<DatedDocument> {
    return this.#ofAll.get(isProtobuf ? 'v2/protobuf' : 'v2/json', async () => {
      if (!isProtobuf) return dateDocument(encodeJson(this.#v2Document()), this.#now());
      const inJson = await this.v2(JSON_FORM);
      return { ...inJson, bytes: encodeOpenApiV2(this.#v2Document()) };
    });
  }

  #v2Document(): ReturnType<typeof openApiV2Document> {
    const documents = [...this.served()].map(([path, entry]) => this.#describe(path, entry).document);
    const own = openApiV2Document(documents, this.#catalog.vocabulary);
    const published = (this.#aggregated?.published() ?? []).flatMap(({ v2 }) => v2 ?? []);
    return published.length === 0 ? own : mergedV2Document(own, published, this.#catalog.vocabulary);
  }

  #describe(path: string, entry: ServedGroupVersion): DescribedVersion {
    const kinds = this.#currentKinds();
    const cached = this.#described.get(path);
    if (cached?.isOf(entry, kinds)) return cached;
    const described = new DescribedVersion(entry, this.#catalog.vocabulary, this.#version, kinds);
    this.#described.set(path, described);
    return described;
  }

  /** Returns the same map until the kinds change. */
  #currentKinds(): ReturnType<typeof builtInKinds> {
    const { generation } = this.#catalog;
    if (this.#kindsOf === generation) return this.#kinds;
    this.#kindsOf = generation;
    const kinds = builtInKinds(this.#catalog);
    const isSame =
      kinds.size === this.#kinds.size && [...kinds.keys()].every((name) => this.#kinds.has(name));
    if (!isSame) this.#kinds = kinds;
    return this.#kinds;
  }
}

/** A group version with its document, which is valid until one of its own types changes. */
class DescribedVersion {
  readonly #entry: ServedGroupVersion;
  readonly #resources: readonly ServedResource[];
  readonly #kinds: ReturnType<typeof builtInKinds>;
  readonly #vocabulary: Vocabulary;
  readonly #version: string;
  #document: OpenApiDocument | undefined;
  #tagged: Promise<DatedDocument> | undefined;
  #protobuf: Uint8Array | undefined;

  constructor(
    entry: ServedGroupVersion,
    vocabulary: Vocabulary,
    version: string,
    kinds: ReturnType<typeof builtInKinds>,
  ) {
    this.#entry = { ...entry, resources: new Map(entry.resources) };
    this.#resources = [...entry.resources.values()];
    this.#kinds = kinds;
    this.#vocabulary = vocabulary;
    this.#version = version;
  }

  isOf({ resources }: ServedGroupVersion, kinds: ReturnType<typeof builtInKinds>): boolean {
    if (kinds !== this.#kinds || resources.size !== this.#resources.length) return false;
    let index = 0;
    for (const served of resources.values()) if (served !== this.#resources[index++]) return false;
    return true;
  }

  get document(): OpenApiDocument {
    this.#document ??= openApiDocument(this.#entry, this.#vocabulary, this.#version, this.#kinds);
    return this.#document;
  }

  tagged(now: number): Promise<DatedDocument> {
    this.#tagged ??= dateDocument(encodeJson(this.document), now);
    return this.#tagged;
  }

  async taggedProtobuf(now: number): Promise<DatedDocument> {
    const tagged = await this.tagged(now);
    this.#protobuf ??= encodeOpenApiV3(this.document);
    return { ...tagged, bytes: this.#protobuf };
  }
}

/** A path with a hash, whose document never changes. */
export function lastingAddress(path: string, { tag }: DatedDocument): string {
  return `${V3_PATH}/${path}?hash=${tag.slice(1, -1)}`;
}

async function dateDocument(bytes: Uint8Array, now: number): Promise<DatedDocument> {
  return { ...(await tagDocument(bytes)), modified: now };
}
