import type { OptionalEncodings } from '@ashlar/codec';
import { apiVersionOf, type GroupResource, type Vocabulary } from '@ashlar/core';
import {
  type ObjectDecoder,
  objectDecoder,
  type ResourceDefinition,
  type ResourceStorage,
  type ResourceVersion,
} from '@ashlar/registry';
import { APPLY_CBOR_PATCH, APPLY_PATCH } from './read-apply.ts';
import { JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH } from './read-patch.ts';
import { ResourceCbor } from './resource-cbor.ts';
import { ResourceMediaTypes, type ServerLanguage } from './resource-media-types.ts';
import { ResourceProtobuf } from './resource-protobuf.ts';

/** The order of verbs in discovery: built-in types sort them, users' types have an order of their own (semantics L1). */
const BUILT_IN_ORDER = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const CUSTOM_ORDER = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

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

/** One version of a resource type as it is served: what every request for it needs, made once. */
export class ServedResource {
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
  /** Kinds of patches that it takes, in the order in which refusals name them (semantics C9). */
  readonly patchTypes: readonly string[];
  readonly mediaTypes: ResourceMediaTypes;
  readonly protobuf: ResourceProtobuf;
  readonly cbor: ResourceCbor;

  constructor(
    definition: ResourceDefinition,
    version: ResourceVersion,
    storage: ResourceStorage,
    { vocabulary, encodings = {} }: ServerLanguage,
  ) {
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
      (verb) => storage[STORAGE_OF_VERB[verb] as keyof ResourceStorage] !== undefined,
    );
    this.patchTypes = patchTypes(definition, encodings);
    this.mediaTypes = new ResourceMediaTypes({ vocabulary, encodings }, definition.dialect);
    this.protobuf = new ResourceProtobuf(definition, version, vocabulary);
    this.cbor = new ResourceCbor(definition, version);
  }

  /** Compiled when it is first needed, and once for all servers that serve this definition. */
  get decoder(): ObjectDecoder {
    return objectDecoder(this.definition, this.version);
  }
}

/** Only built-in types have merge keys, and only what is stored has owners. */
function patchTypes(
  { dialect, storage }: ResourceDefinition,
  { cbor = false }: OptionalEncodings,
): readonly string[] {
  const strategic = dialect === 'built-in' ? [STRATEGIC_MERGE_PATCH] : [];
  return [
    JSON_PATCH,
    MERGE_PATCH,
    ...strategic,
    ...(storage ? [] : cbor ? [APPLY_PATCH, APPLY_CBOR_PATCH] : [APPLY_PATCH]),
  ];
}
