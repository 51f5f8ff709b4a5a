import { decodeJson, encodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  everyLabel,
  type JsonObject,
  type JsonValue,
  kubernetesVocabulary,
  parseFieldSelector,
  type Status,
  type StatusError,
  timestampText,
} from '@ashlar/core';
import {
  type ActionObjects,
  createStoredResource,
  type DeleteRequest,
  objectDecoder,
  objectOf,
  type RequestContext,
  type ResourceDefinition,
  type ResourceStorage,
} from '@ashlar/registry';
import { createMemoryStore, createObjectStore, type ObjectCodec, type ObjectStore } from '@ashlar/storage';

/** The time of these tests. */
const NOW: number = Date.UTC(2024, 0, 2, 3, 4, 5);

const codec: ObjectCodec = {
  encode: ({ metadata: { resourceVersion: _, ...metadata }, ...rest }) =>
    encodeJson({ ...rest, metadata } as unknown as JsonValue),
  decode: (bytes) => decodeJson(bytes).value as unknown as ApiObject,
};

const ambient: Ambient = {
  clock: { now: () => NOW, monotonic: () => 0, setTimer: () => ({ clear: () => {} }) },
  random: { bytes: (into) => into.fill(7) },
  vocabulary: kubernetesVocabulary,
};

/** A store for resources of these tests. */
export function emptyStore(): ObjectStore {
  return createObjectStore(createMemoryStore({ clock: ambient.clock }), { codec, clock: ambient.clock });
}

/**
 * A resource type over a store in memory, called as `http` does: the tests of this package use kinds through
 * it.
 */
export class InMemoryResource {
  readonly warnings: string[] = [];
  readonly #definition: ResourceDefinition;
  readonly #storage: Required<ResourceStorage>;
  readonly #context: RequestContext;
  readonly #decode: (value: JsonValue) => ApiObject;

  constructor(definition: ResourceDefinition, store: ObjectStore = emptyStore()) {
    const [version] = definition.versions;
    if (!version) throw new TypeError('a definition without versions');
    const decoder = objectDecoder(definition, version);
    this.#definition = definition;
    this.#storage = createStoredResource(definition, {
      store,
      ambient,
      admission: { mutate: async ({ object }) => object, validate: async () => {} },
      allocator: definition.createAllocator?.({
        ...{ store, ambient, recordPrefix: '/ashlar/' },
        deleteRelated: async () => {},
        onError: (error) => {
          throw error;
        },
      }),
    }) as Required<ResourceStorage>;
    this.#decode = (value) =>
      decoder.decode(value, {
        fieldValidation: 'Strict',
        findings: [],
        warn: (text) => this.warnings.push(text),
      });
    this.#context = {
      user: { name: 'alice', groups: [] },
      namespace: definition.scope === 'Namespaced' ? 'default' : '',
      version: version.name,
      dryRun: false,
      fieldManager: 'test',
      warn: (text) => this.warnings.push(text),
      annotate: () => {},
      authorizeCreate: async () => {},
    };
  }

  async create(body: JsonObject): Promise<ApiObject> {
    return objectOf(await this.#storage.create(this.#context, this.#decode(this.#identified(body))));
  }

  async get(name: string): Promise<ApiObject> {
    return objectOf(await this.#storage.get(this.#context, { name }));
  }

  /** Replaces an object, or a part of it through a subresource. */
  async replace(name: string, body: JsonObject, subresource?: string): Promise<ApiObject> {
    const { answer } = await this.#storage.update(this.#context, {
      name,
      createsAbsent: 'if-allowed',
      ...(subresource && { subresource }),
      update: () => this.#decode(this.#identified(body)),
    });
    return objectOf(answer);
  }

  /** Changes an object as a patch would. */
  async change(
    name: string,
    changed: (object: JsonObject) => JsonObject,
    subresource?: string,
  ): Promise<ApiObject> {
    const { answer } = await this.#storage.update(this.#context, {
      name,
      ...(subresource && { subresource }),
      update: (current) => this.#decode(changed(current as unknown as JsonObject)),
    });
    return objectOf(answer);
  }

  async delete(
    name: string,
    request: DeleteRequest = {},
  ): Promise<{ readonly object: ApiObject; readonly removed: boolean }> {
    const { record, removed } = await this.#storage.delete(this.#context, name, request);
    return { object: objectOf(record), removed };
  }

  /** Sends a body to an action of an object; `related` contains other served types. */
  async act(
    action: string,
    name: string,
    body: JsonObject,
    related: Readonly<Record<string, InMemoryResource>> = {},
  ): Promise<Status | ApiObject> {
    return this.actWith({}, action, name, body, related);
  }

  /** The same, of a request that has a context of its own. */
  async actWith(
    context: Partial<RequestContext>,
    action: string,
    name: string,
    body: JsonObject,
    related: Readonly<Record<string, InMemoryResource>> = {},
  ): Promise<Status | ApiObject> {
    const asked = { ...this.#context, ...context };
    return this.#storage.act(asked, {
      action,
      name,
      object: { metadata: { name }, ...body } as unknown as ApiObject,
      environment: {
        parent: this.objects,
        related: (_, plural) => related[plural]?.objects,
        timestamp: timestampText(NOW),
        ambient,
      },
    });
  }

  /** Names of the objects that a field selector selects. */
  async select(fieldSelector: string): Promise<readonly string[]> {
    const selection = { labels: everyLabel, fields: parseFieldSelector(fieldSelector) };
    const { items } = await this.#storage.list(this.#context, selection);
    return items.map((item) => objectOf(item).metadata.name ?? '');
  }

  /** Cells of the row of an object, a minute and a half after {@link NOW}. */
  cells(object: ApiObject): readonly JsonValue[] {
    return (this.#definition.versions[0]?.columns ?? []).map(({ cell }) => cell(object, NOW + 90_000));
  }

  /** The objects that actions can change. */
  get objects(): ActionObjects {
    const storage = this.#storage;
    return { storage, change: (context, name, change) => storage.change(context, name, change) };
  }

  #identified(body: JsonObject): JsonObject {
    const { group, names, versions } = this.#definition;
    const version = versions[0]?.name;
    return { apiVersion: group === '' ? `${version}` : `${group}/${version}`, kind: names.kind, ...body };
  }
}

/** The causes of a rejection, each with its field. */
export async function causesOf(refused: Promise<unknown>): Promise<readonly string[]> {
  const error = await refused.then(
    () => undefined,
    (thrown: StatusError) => thrown,
  );
  if (!error) throw new Error('nothing was refused');
  return (error.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}
