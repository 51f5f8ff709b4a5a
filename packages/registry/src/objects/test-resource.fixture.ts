import type { AdmissionChain, AdmissionRequest } from '@ashlar/admission';
import {
  type Ambient,
  type ApiObject,
  everyLabel,
  orchVocabulary,
  parseFieldSelector,
  parseLabelSelector,
  partialObjectMetadataSchema,
  type Schema,
  validateDnsSubdomain,
} from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import {
  createMemoryStore,
  createObjectStore,
  type MemoryStore,
  ObjectRecord,
  type ObjectStore,
} from '@ashlar/storage';
import { createStoredResource } from '../definition/create-stored-resource.ts';
import type { ObjectConverter } from '../definition/custom-records.ts';
import type { ObjectAllocator } from '../definition/object-allocator.ts';
import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';
import type {
  ListRequest,
  RequestContext,
  ResourceStorage,
  ResultObject,
  Selection,
} from '../definition/resource-storage.ts';
import { jsonCodec } from './json-codec.fixture.ts';

/** Start time of these tests. */
const NOW: number = Date.UTC(2024, 0, 2, 3, 4, 5);

export interface Page extends ApiObject {
  readonly text?: string;
}

const pageSchema: Schema = {
  type: 'object',
  typeName: 'test.Page',
  properties: { ...partialObjectMetadataSchema.properties, text: { type: 'string', tag: 2 } },
};

/** A namespaced type of the group `books.io`, without further rules. */
export const pages: ResourceDefinition = {
  group: 'books.io',
  names: { plural: 'pages', singular: 'page', kind: 'Page', listKind: 'PageList' },
  scope: 'Namespaced',
  dialect: 'built-in',
  versions: [{ name: 'v1', served: true, storage: true, schema: pageSchema }],
  strategy: { validateName: validateDnsSubdomain, allowsUnconditionalUpdate: true },
};

/** A custom type of that group, with the kind `Shelf`. */
export const shelvesOf = (version: Pick<ResourceVersion, 'schema' | 'validator'>): ResourceDefinition => ({
  ...pages,
  dialect: 'custom',
  names: { ...pages.names, kind: 'Shelf' },
  versions: [{ name: 'v1', served: true, storage: true, ...version }],
});

export interface TestResourceOptions {
  readonly definition?: ResourceDefinition;
  readonly admission?: Partial<AdmissionChain>;
  readonly random?: Ambient['random'];
  readonly allocator?: ObjectAllocator;
  readonly converter?: ObjectConverter;
  readonly turns?: Ambient['turns'];
  /** Default: a store in memory. */
  readonly store?: ObjectStore;
}

/** The verbs of a type over a store in memory, and their dependencies. */
export interface TestResource {
  readonly verbs: Required<ResourceStorage>;
  readonly store: ObjectStore;
  readonly engine: MemoryStore;
  readonly clock: SteppedClock;
  /** Calls of admission, in order. */
  readonly questions: (AdmissionRequest & { readonly phase: 'mutate' | 'validate' })[];
  readonly warnings: string[];
  context(changes?: Partial<RequestContext>): RequestContext;
  create(name: string, more?: object, changes?: Partial<RequestContext>): Promise<Page>;
  replace(name: string, more: object, changes?: Partial<RequestContext>): Promise<Page>;
  get(name: string, changes?: Partial<RequestContext>): Promise<Page>;
  remove(name: string): Promise<unknown>;
  /** Names of a list. */
  names(request?: Partial<ListRequest>, changes?: Partial<RequestContext>): Promise<readonly string[]>;
}

export function createTestResource({
  definition = pages,
  admission = {},
  random = counting(),
  allocator,
  converter,
  turns,
  store: given,
}: TestResourceOptions = {}): TestResource {
  const clock = createSteppedClock(NOW);
  const engine = createMemoryStore({ clock });
  const store = given ?? createObjectStore(engine, { codec: jsonCodec, clock });
  const ambient = { clock, random, vocabulary: orchVocabulary, ...(turns && { turns }) };
  const questions: TestResource['questions'] = [];
  const warnings: string[] = [];
  const verbs = createStoredResource(definition, {
    store,
    ambient,
    allocator,
    converter,
    admission: {
      async mutate(request) {
        questions.push({ ...request, phase: 'mutate' });
        return admission.mutate ? admission.mutate(request) : request.object;
      },
      async validate(request) {
        questions.push({ ...request, phase: 'validate' });
        await admission.validate?.(request);
      },
    },
  }) as Required<ResourceStorage>;
  const apiVersion = `${definition.group}/v1`;
  const context = (changes: Partial<RequestContext> = {}): RequestContext => ({
    user: { name: 'alice', groups: [] },
    namespace: definition.scope === 'Namespaced' ? 'x' : '',
    version: 'v1',
    dryRun: false,
    fieldManager: 'test',
    warn: (text) => void warnings.push(text),
    annotate: () => {},
    authorizeCreate: async () => {},
    ...changes,
  });
  const object = (name: string, { metadata, ...more }: { metadata?: object }): Page =>
    ({ kind: definition.names.kind, apiVersion, metadata: { name, ...metadata }, ...more }) as Page;
  return {
    verbs,
    store,
    engine,
    clock,
    questions,
    warnings,
    context,
    create: async (name, more = {}, changes) =>
      objectOf(await verbs.create(context(changes), object(name, more))),
    replace: async (name, more, changes) => {
      const update = () => object(name, more);
      const request = { name, createsAbsent: 'if-allowed' as const, update };
      return objectOf((await verbs.update(context(changes), request)).answer);
    },
    remove: async (name) => verbs.delete(context(), name, {}),
    get: async (name, changes) => objectOf(await verbs.get(context(changes), { name })),
    async names(request = {}, changes) {
      const { items } = await verbs.list(context(changes), { ...everything, ...request });
      return items.map((item) => objectOf(item).metadata.name ?? '');
    },
  };
}

export const everything: Selection = { labels: everyLabel, fields: parseFieldSelector('') };

export const selecting = (labels: string, fields = ''): Selection => ({
  labels: parseLabelSelector(labels),
  fields: parseFieldSelector(fields),
});

export const objectOf = (result: ResultObject): Page => (ObjectRecord.is(result) ? result.object : result);

function counting(): Ambient['random'] {
  let count = 0;
  return {
    bytes(into) {
      for (let i = 0; i < into.length; i++) into[i] = (count++ * 31) & 0xff;
      return into;
    },
  };
}
