import type { OptionalEncodings } from '@ashlar/codec';
import { apiVersionOf, type GroupResource, type Vocabulary } from '@ashlar/core';
import {
  type ObjectDecoder,
  objectDecoder,
  type ResourceDefinition,
  type ResourceDialect,
  type ResourceStorage,
  type ResourceVersion,
} from '@ashlar/registry';
import { EncodingBudget } from '../encoding/encoding-budget.ts';
import { type Encoding, KeptEncodings } from '../encoding/kept-encodings.ts';
import { ResourceCbor } from '../encoding/resource-cbor.ts';
import { ResourceProtobuf } from '../encoding/resource-protobuf.ts';
import type { KeptRow } from '../encoding/table-rows.ts';
import type { IncludeObject } from '../encoding/table-view.ts';
import { APPLY_CBOR_PATCH, APPLY_PATCH } from '../request/read-apply.ts';
import { JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH } from '../request/read-patch.ts';
import { ResourceMediaTypes, type ServerLanguage } from './resource-media-types.ts';
import { Retirement } from './retirement.ts';

/** The order of verbs in discovery: built-in types sort them, users' types have an order of their own (semantics/discovery#discovery). */
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
  /** Kinds of patches that it takes, in the order in which refusals name them (semantics/verbs#patch). */
  readonly patchTypes: readonly string[];
  readonly mediaTypes: ResourceMediaTypes;
  readonly protobuf: ResourceProtobuf;
  readonly cbor: ResourceCbor;
  /** What all resources of the server may keep of what they have encoded. */
  readonly budget: EncodingBudget;
  /** Items of lists, in JSON behind a comma. */
  readonly jsonItems: KeptEncodings;
  /** Items of lists in YAML. */
  readonly yamlItems: KeptEncodings;
  /** Whose paths lead to it: those of views of users' objects go on where their parents' do. */
  readonly routes: ResourceDialect;
  /** Ends what runs on the resource when it is served no longer. */
  readonly retirement: Retirement;
  readonly #metadataItems: Map<string, KeptEncodings> = new Map();
  readonly #tableRows: Map<string, KeptEncodings<KeptRow>> = new Map();

  constructor(
    definition: ResourceDefinition,
    version: ResourceVersion,
    storage: ResourceStorage,
    { vocabulary, encodings = {}, budget = new EncodingBudget() }: ServerLanguage,
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
      (verb) => storage[STORAGE_OF_VERB[verb] as keyof ResourceStorage] !== undefined,
    );
    this.patchTypes = patchTypes(definition, routes, encodings);
    this.mediaTypes = new ResourceMediaTypes({ vocabulary, encodings }, definition.dialect);
    this.budget = budget;
    this.jsonItems = new KeptEncodings(budget);
    this.yamlItems = new KeptEncodings(budget);
    this.protobuf = new ResourceProtobuf(definition, version, { vocabulary, budget });
    this.cbor = new ResourceCbor(definition, version, budget);
  }

  /** Metadata alone as items of lists in JSON, in a version of the meta group. */
  metadataItems(version: string): KeptEncodings {
    return kept(this.#metadataItems, version, this.budget);
  }

  /** Rows of tables in JSON. */
  tableRows(version: string, include: IncludeObject): KeptEncodings<KeptRow> {
    return kept(this.#tableRows, `${version}/${include}`, this.budget);
  }

  /** What discovery tells: of a type that is being removed nothing that makes or changes objects. */
  get advertisedVerbs(): readonly string[] {
    if (!this.definition.terminating) return this.verbs;
    return this.verbs.filter((verb) => !CHANGING_VERBS.has(verb));
  }

  /** Compiled when it is first needed, and once for all servers that serve this definition. */
  get decoder(): ObjectDecoder {
    return objectDecoder(this.definition, this.version);
  }
}

function kept<T extends Encoding>(
  forms: Map<string, KeptEncodings<T>>,
  name: string,
  budget: EncodingBudget,
): KeptEncodings<T> {
  let form = forms.get(name);
  if (!form) {
    form = new KeptEncodings(budget);
    forms.set(name, form);
  }
  return form;
}

/** Only built-in types have merge keys, and only what is stored has owners. */
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
