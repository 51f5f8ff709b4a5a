import { encodeJsonSteps } from '@ashlar/codec';
import { type JsonObject, runInSlices, type Steps, type Vocabulary } from '@ashlar/core';
import type { AggregatedApis } from '../aggregated/aggregated-apis.ts';
import { type ApiCatalog, hasDialect, type ServedGroupVersion } from '../catalog/api-catalog.ts';
import { PerGeneration } from '../catalog/per-generation.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { convertedV2DocumentSteps } from './converted-v2-document.ts';
import { DescribedDocument, type DocumentAmbient, dateDocument } from './described-document.ts';
import { type DatedDocument, DocumentCache } from './document-cache.ts';
import type { FixedDocument } from './fixed-documents.ts';
import { mergedV2DocumentSteps } from './merged-v2-document.ts';
import { builtInKinds, openApiDocumentSteps } from './openapi-document.ts';
import { type DocumentForm, JSON_FORM } from './openapi-forms.ts';
import type { OpenApiDocument } from './openapi-frame.ts';
import { plainDocuments } from './openapi-plain-paths.ts';
import { openApiV2DocumentSteps } from './openapi-v2-document.ts';
import { encodeOpenApiV2Steps } from './openapi-v2-protobuf.ts';

type Kinds = ReturnType<typeof builtInKinds>;

/** Root of the v3 documents, one for each group version. */
export const V3_PATH = '/openapi/v3';

/** Paths of other servers that are indexed between two pauses. */
const INDEXED_PER_STEP = 1024;

export interface OpenApiSources {
  readonly catalog: ApiCatalog;
  readonly aggregated?: AggregatedApis | undefined;
  /** Major and minor version of the server, shown in documents: `1.32`. */
  readonly release: string;
  /** Documents at fixed paths, which are described, too. */
  readonly documents?: readonly FixedDocument[] | undefined;
  readonly ambient: DocumentAmbient;
}

/** Documents of a catalog and of the servers behind it, each created once per generation. */
export class OpenApiDocuments {
  readonly #catalog: ApiCatalog;
  readonly #aggregated: AggregatedApis | undefined;
  readonly #release: string;
  readonly #documents: readonly FixedDocument[] | undefined;
  readonly #ambient: DocumentAmbient;
  readonly #ofAll: DocumentCache<DatedDocument>;
  readonly #encoded: DocumentCache<DatedDocument | undefined>;
  readonly #own: PerGeneration<ReadonlyMap<string, DescribedDocument>>;
  readonly #served: PerGeneration<ReadonlyMap<string, DescribedDocument>>;
  readonly #described: Map<string, DescribedVersion> = new Map();
  readonly #converted: WeakMap<JsonObject, DescribedDocument> = new WeakMap();
  #kinds: Kinds = new Map();
  #plain: ReadonlyMap<string, DescribedDocument> = new Map();
  #plainOf: string | undefined;
  #kindsOf = -1;

  constructor({ catalog, aggregated, release, documents, ambient }: OpenApiSources) {
    this.#catalog = catalog;
    this.#aggregated = aggregated;
    this.#release = release;
    this.#documents = documents;
    this.#ambient = ambient;
    const generation = (): number => catalog.generation + (aggregated?.generation ?? 0);
    this.#ofAll = new DocumentCache(generation);
    this.#encoded = new DocumentCache(generation);
    this.#own = new PerGeneration(generation, () => inOrder(this.#ownDocuments()));
    // what this server serves is not theirs
    this.#served = new PerGeneration(generation, () =>
      inOrder([...this.#convertedDocuments(), ...this.#own.get()]),
    );
  }

  /**
   * The documents of this server by path, in order: of what it serves itself, and of servers behind it that have none of v3. A document is
   * created when it is first asked for.
   */
  served(): ReadonlyMap<string, DescribedDocument> {
    return this.#served.get();
  }

  /** Returns an encoded document of this server by its path; its ETag is that of its JSON, in any format. */
  async v3(path: string, form: DocumentForm = JSON_FORM): Promise<DatedDocument | undefined> {
    if (!this.served().has(path)) return undefined;
    return this.#encoded.get(`${form.response} ${path}`, async () =>
      this.served().get(path)?.encoded(this.#ambient, form),
    );
  }

  /** Returns the index: the paths of the documents with their hashes, those of other servers included. */
  index(): Promise<DatedDocument> {
    return this.#ofAll.get('index', async () => {
      const paths: Record<string, { serverRelativeURL: string }> = {};
      const served = this.served();
      for (const path of this.#described.keys()) if (!served.has(path)) this.#described.delete(path);
      for (const path of served.keys()) {
        const document = await this.v3(path);
        // it may have been removed since
        if (document) paths[path] = { serverRelativeURL: lastingAddress(path, document) };
      }
      return dateDocument(this.#indexSteps(paths), this.#ambient);
    });
  }

  /** The index of what this server serves and of what those behind it publish. */
  *#indexSteps(paths: Record<string, { serverRelativeURL: string }>): Steps<Uint8Array> {
    for (const { v3 } of this.#aggregated?.published() ?? []) {
      let added = 0;
      for (const [path, serverRelativeURL] of v3 ?? []) {
        // what this server serves, or what another one has published before, is not theirs
        paths[path] ??= { serverRelativeURL };
        if (++added % INDEXED_PER_STEP === 0) yield;
      }
    }
    return yield* encodeJsonSteps({ paths });
  }

  /** Returns the v2 document of all groups; its ETag is that of its JSON, in any format. */
  v2({ isProtobuf }: DocumentForm): Promise<DatedDocument> {
    return this.#ofAll.get(isProtobuf ? 'v2/protobuf' : 'v2/json', async () => {
      if (!isProtobuf) return dateDocument(this.#v2Steps(encodeJsonSteps), this.#ambient);
      const inJson = await this.v2(JSON_FORM);
      return { ...inJson, bytes: await runInSlices(this.#v2Steps(encodeOpenApiV2Steps), this.#ambient) };
    });
  }

  *#v2Steps(encode: (document: JsonObject) => Steps<Uint8Array>): Steps<Uint8Array> {
    const { vocabulary } = this.#catalog;
    const documents: OpenApiDocument[] = [];
    for (const described of this.#own.get().values()) documents.push(yield* described.documentSteps());
    const own = yield* openApiV2DocumentSteps(documents, vocabulary, this.#release);
    const published = (this.#aggregated?.published() ?? []).flatMap(({ v2 }) => v2 ?? []);
    return yield* encode(
      published.length === 0 ? own : yield* mergedV2DocumentSteps(own, published, vocabulary),
    );
  }

  #versionDocuments(own: readonly ServedGroupVersion[]): readonly [string, DescribedDocument][] {
    return own.map((entry) => {
      const { group, version } = entry;
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      return [path, this.#describe(path, entry)];
    });
  }

  #ownDocuments(): readonly (readonly [string, DescribedDocument])[] {
    const versions = this.#ownVersions();
    return [...this.#plainDocuments(versions), ...this.#versionDocuments(versions)];
  }

  /** Servers that have OpenAPI v2 only are described by that. */
  #convertedDocuments(): readonly [string, DescribedDocument][] {
    const found: [string, DescribedDocument][] = [];
    for (const { v2, v3 } of this.#aggregated?.published() ?? [])
      if (v2 && v3?.size === 0) found.push([v2.path, this.#convert(v2.document)]);
    return found;
  }

  #convert(document: JsonObject): DescribedDocument {
    const cached = this.#converted.get(document);
    if (cached) return cached;
    const converted = new DescribedDocument(() => convertedV2DocumentSteps(document));
    this.#converted.set(document, converted);
    return converted;
  }

  #ownVersions(): readonly ServedGroupVersion[] {
    return this.#catalog
      .groups()
      .flatMap((group) =>
        this.#catalog.versions(group).filter(({ version }) => !this.#aggregated?.handlerOf(group, version)),
      );
  }

  #plainDocuments(own: readonly ServedGroupVersion[]): ReadonlyMap<string, DescribedDocument> {
    const groups = new Set(
      own.filter((version) => hasDialect(version, 'built-in')).map(({ group }) => group),
    );
    const key = [...groups].join(' ');
    if (this.#plainOf === key) return this.#plain;
    this.#plainOf = key;
    const { vocabulary } = this.#catalog;
    const plain = plainDocuments({
      ...{ vocabulary, release: this.#release, documents: this.#documents },
      groups: [...groups],
    });
    this.#plain = new Map([...plain].map(([path, make]) => [path, new DescribedDocument(make)]));
    return this.#plain;
  }

  #describe(path: string, entry: ServedGroupVersion): DescribedVersion {
    const kinds = this.#currentKinds();
    const cached = this.#described.get(path);
    if (cached?.isOf(entry, kinds)) return cached;
    const described = new DescribedVersion(entry, this.#catalog.vocabulary, this.#release, kinds);
    this.#described.set(path, described);
    return described;
  }

  /** Returns the same map until the kinds change. */
  #currentKinds(): Kinds {
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
class DescribedVersion extends DescribedDocument {
  readonly #resources: readonly ServedResource[];
  readonly #kinds: Kinds;

  constructor(entry: ServedGroupVersion, vocabulary: Vocabulary, release: string, kinds: Kinds) {
    const unchanging = { ...entry, resources: new Map(entry.resources) };
    super(() => openApiDocumentSteps(unchanging, vocabulary, release, kinds));
    this.#resources = [...entry.resources.values()];
    this.#kinds = kinds;
  }

  isOf({ resources }: ServedGroupVersion, kinds: Kinds): boolean {
    if (kinds !== this.#kinds || resources.size !== this.#resources.length) return false;
    let index = 0;
    for (const served of resources.values()) if (served !== this.#resources[index++]) return false;
    return true;
  }
}

/** Documents in the order of their paths; of several with one path, the last. */
function inOrder(
  documents: readonly (readonly [string, DescribedDocument])[],
): ReadonlyMap<string, DescribedDocument> {
  return new Map([...new Map(documents)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A path with a hash, whose document never changes. */
export function lastingAddress(path: string, { tag }: DatedDocument): string {
  return `${V3_PATH}/${path}?hash=${tag.slice(1, -1)}`;
}
