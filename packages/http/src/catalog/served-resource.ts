import type { OptionalEncodings } from '@ashlar/codec';
import { apiVersionOf, type FieldSelector, type GroupResource, type Vocabulary } from '@ashlar/core';
import {
  type ObjectDecoder,
  objectDecoder,
  type ResourceDefinition,
  type ResourceDialect,
  type ResourceStorage,
  type ResourceVersion,
  requireSelectableFields,
} from '@ashlar/registry';
import { BlockCache } from '../encoding/block-cache.ts';
import type { CachedRow } from '../encoding/cached-row.ts';
import type { EncodedResource, TableRowCaches } from '../encoding/encoded-resource.ts';
import { EncodingBudget } from '../encoding/encoding-budget.ts';
import { EncodingCache } from '../encoding/encoding-cache.ts';
import type { IncludeObject } from '../encoding/include-object.ts';
import { ResourceCbor } from '../encoding/resource-cbor.ts';
import { ResourceProtobuf } from '../encoding/resource-protobuf.ts';
import { APPLY_CBOR_PATCH, APPLY_PATCH } from '../request/read-apply.ts';
import { JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH } from '../request/read-patch.ts';
import { ResourceMediaTypes, type ServerEncodings } from './resource-media-types.ts';
import { Retirement } from './retirement.ts';

/** The order of verbs in discovery: sorted for built-in types, a fixed one for custom types (semantics/discovery#discovery). */
const BUILT_IN_ORDER = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const CUSTOM_ORDER = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

const CHANGING_VERBS: ReadonlySet<string> = new Set(['create', 'patch', 'update']);

const STORAGE_OF_VERB: Readonly<Record<string, keyof ResourceStorage>> = {
  get: 'get',
  list: 'list',
  watch: 'watch',
  create: 'create',
  update: 'update',
  patch: 'update',
  delete: 'delete',
  deletecollection: 'deleteCollection',
};

/** One version of a resource type as it is served: what every request for it needs, computed once. */
export class ServedResource implements EncodedResource {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
  readonly storage: ResourceStorage;
  readonly vocabulary: Vocabulary;
  readonly encodings: OptionalEncodings;
  readonly groupResource: GroupResource;
  readonly namespaced: boolean;
  readonly apiVersion: string;
  /** In the order of discovery. */
  readonly verbs: readonly string[];
  /** Media types of supported patches, in the order in which errors list them (semantics/verbs#patch). */
  readonly patchTypes: readonly string[];
  readonly mediaTypes: ResourceMediaTypes;
  readonly protobuf: ResourceProtobuf;
  readonly cbor: ResourceCbor;
  readonly budget: EncodingBudget;
  readonly jsonObjects: EncodingCache;
  readonly jsonItems: BlockCache;
  readonly yamlItems: BlockCache;
  /** The dialect of its paths: a subresource is routed like its parent. */
  readonly routes: ResourceDialect;
  /** Ends watches when the resource is no longer served. */
  readonly retirement: Retirement;
  readonly #metadataItems: Map<string, BlockCache> = new Map();
  readonly #tableRows: Map<string, TableRowCaches> = new Map();

  constructor(
    definition: ResourceDefinition,
    version: ResourceVersion,
    storage: ResourceStorage,
    { vocabulary, encodings = {}, budget = new EncodingBudget() }: ServerEncodings,
    retirement: Retirement = new Retirement(),
    routes: ResourceDialect = definition.dialect,
  ) {
    this.retirement = retirement;
    this.routes = routes;
    this.definition = definition;
    this.version = version;
    this.storage = storage;
    this.vocabulary = vocabulary;
    this.encodings = encodings;
    this.groupResource = { group: definition.group, resource: definition.names.plural };
    this.namespaced = definition.scope === 'Namespaced';
    this.apiVersion = apiVersionOf({ group: definition.group, version: version.name });
    const order = definition.dialect === 'built-in' ? BUILT_IN_ORDER : CUSTOM_ORDER;
    this.verbs = order.filter(
      (verb) =>
        storage[STORAGE_OF_VERB[verb] as keyof ResourceStorage] !== undefined ||
        (verb === 'create' && definition.createsAction !== undefined),
    );
    this.patchTypes = patchTypes(definition, routes, encodings);
    this.mediaTypes = new ResourceMediaTypes({ vocabulary, encodings }, definition.dialect, routes);
    this.budget = budget;
    this.jsonObjects = new EncodingCache(budget);
    this.jsonItems = new BlockCache(budget);
    this.yamlItems = new BlockCache(budget);
    this.protobuf = new ResourceProtobuf(definition, version, { vocabulary, budget });
    this.cbor = new ResourceCbor(definition, version, budget);
  }

  /** Whether gets and lists ignore versions and continue tokens. */
  get ignoresVersions(): boolean {
    return this.definition.ignoresVersions === true;
  }

  /** Checks that the kind supports the fields of a selector. @throws StatusError 400 */
  requireFields(fields: FieldSelector): void {
    requireSelectableFields(this.definition, this.version, fields);
  }

  metadataItems(version: string): BlockCache {
    return getOrAdd(this.#metadataItems, version, () => new BlockCache(this.budget));
  }

  tableRows(version: string, include: IncludeObject): TableRowCaches {
    return getOrAdd(this.#tableRows, `${version}/${include}`, () => ({
      rows: new EncodingCache<CachedRow>(this.budget),
      blocks: new BlockCache(this.budget),
    }));
  }

  /** The verbs that discovery lists: a type that is being removed has none that create or change objects. */
  get advertisedVerbs(): readonly string[] {
    if (!this.definition.terminating) return this.verbs;
    return this.verbs.filter((verb) => !CHANGING_VERBS.has(verb));
  }

  /** Compiled on first use, once for all servers that serve this definition. */
  get decoder(): ObjectDecoder {
    return objectDecoder(this.definition, this.version);
  }
}

function getOrAdd<T>(caches: Map<string, T>, name: string, create: () => T): T {
  const cache = caches.get(name) ?? create();
  caches.set(name, cache);
  return cache;
}

/** Only built-in types have merge keys, and only stored objects have field owners. */
function patchTypes(
  { storage }: ResourceDefinition,
  routes: ResourceDialect,
  { cbor = false }: OptionalEncodings,
): readonly string[] {
  const strategic = routes === 'built-in' ? [STRATEGIC_MERGE_PATCH] : [];
  return [
    JSON_PATCH,
    MERGE_PATCH,
    ...strategic,
    ...(storage ? [] : cbor ? [APPLY_PATCH, APPLY_CBOR_PATCH] : [APPLY_PATCH]),
  ];
}
