import type { Ambient, ApiList, ApiObject, DeleteOptions, Status, WatchEvent } from '@ashlar/core';
import type { Requests } from '../connection/connection.ts';
import { checkCallOptions, checkName, checkNamespace, checkObject } from './call-checks.ts';
import {
  calleeOf,
  type ObjectVerbs,
  objectVerbs,
  type Place,
  pathOf,
  requestsOf,
  withType,
} from './object-verbs.ts';
import type {
  CreateCallOptions,
  DeleteCallOptions,
  EveryPageOptions,
  ObjectInput,
  PageOptions,
  ResourceReference,
  SelectionOptions,
  WatchOptions,
} from './resource-options.ts';
import { resourcePath } from './resource-path.ts';
import { watchEvents } from './watch-events.ts';

/** One resource, in one namespace or in the entire cluster. Errors are `StatusError`s. */
export interface ResourceClient<T extends ApiObject = ApiObject, New extends ApiObject = T>
  extends ObjectVerbs<T, New> {
  readonly reference: ResourceReference;
  readonly ambient: Ambient;
  /** The same resource in one namespace. */
  namespace(name: string): ResourceClient<T, New>;
  /** One page; without a limit the entire collection. */
  list(options?: PageOptions): Promise<ApiList<T>>;
  /** Page after page, all of one version; 500 objects each by default. */
  pages(options?: EveryPageOptions): AsyncGenerator<ApiList<T>, void, undefined>;
  /** Every object, read page by page. */
  all(options?: EveryPageOptions): AsyncGenerator<T, void, undefined>;
  /**
   * Every change, over as many connections as needed. Without a version the collection is listed first, each
   * object as an `ADDED`. Ends by `break`, or with the reason of the signal.
   * @throws StatusError `Expired` if the server no longer has the events: a new list is needed
   */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent<T>, void, undefined>;
  create(object: ObjectInput<New>, options?: CreateCallOptions): Promise<T>;
  /** Returns the object if something still holds it, such as a finalizer, else a Status. */
  delete(name: string, options?: DeleteCallOptions): Promise<T | Status>;
  deleteCollection(selection?: SelectionOptions, options?: DeleteOptions): Promise<ApiList<T> | Status>;
  readonly status: ObjectVerbs<T, New>;
  /** Another subresource, such as `scale`, whose objects may be of another kind. */
  subresource<S extends ApiObject = ApiObject>(name: string): SubresourceClient<S>;
}

/** The verbs of a subresource. */
export interface SubresourceClient<T extends ApiObject> extends ObjectVerbs<T> {
  /** Of one object: a token, an eviction, a binding. */
  create(name: string, object: Partial<T>, options?: CreateCallOptions): Promise<T>;
}

const PAGE_LENGTH = 500;

/** A client of one resource over a connection. An empty namespace is the entire cluster. */
export function createResourceClient<T extends ApiObject, New extends ApiObject = T>(
  connection: Requests,
  reference: ResourceReference,
  namespace: string = '',
): ResourceClient<T, New> {
  const place: Place = { connection, reference, namespace, below: [] };
  const client: ResourceClient<T, New> = {
    ...objectVerbs<T, New>(place),
    ...collectionVerbs<T, New>(place),
    reference,
    ambient: connection.ambient,
    status: objectVerbs<T, New>({ ...place, below: ['status'] }),
    namespace: (name) => {
      checkNamespace(`${reference.resource}.namespace`, name);
      return createResourceClient<T, New>(connection, reference, name);
    },
    subresource: (name) => subresourceClient({ ...place, below: [name] }),
    pages: (options) => pages(client, options),
    all: (options) => all(client, options),
    watch: (options) => watch(client, requestsOf(place), collectionPath(place), options),
  };
  return client;
}

function collectionPath({ reference, namespace }: Place): string {
  return resourcePath(reference, namespace);
}

type CollectionVerbs<T extends ApiObject, New extends ApiObject> = Pick<
  ResourceClient<T, New>,
  'list' | 'create' | 'delete' | 'deleteCollection'
>;

function collectionVerbs<T extends ApiObject, New extends ApiObject>(place: Place): CollectionVerbs<T, New> {
  const { reference } = place;
  const connection = requestsOf(place);
  const callee = calleeOf(place);
  return {
    list: async (options) => {
      checkCallOptions(`${callee}.list`, 'list', options);
      const { signal, ...query } = options ?? {};
      const path = collectionPath(place);
      const list = await connection.value({ method: 'GET', path, query: { ...query }, signal });
      return withItemTypes(list as ApiList<T>);
    },
    create: async (object, options) => {
      checkObject(`${callee}.create`, object);
      checkCallOptions(`${callee}.create`, 'create', options);
      const { signal, ...query } = options ?? {};
      const namespace = place.namespace || (object.metadata?.namespace ?? '');
      const path = collectionPath({ ...place, namespace });
      const body = withType(reference, object);
      return (await connection.value({ method: 'POST', path, query: { ...query }, body, signal })) as T;
    },
    delete: async (name, options) => {
      checkName(`${callee}.delete`, name);
      checkCallOptions(`${callee}.delete`, 'delete', options);
      const { signal, ...rest } = options ?? {};
      const body = deleteOptions(rest);
      return (await connection.value({ method: 'DELETE', path: pathOf(place, name), body, signal })) as
        | T
        | Status;
    },
    deleteCollection: async (selection, options = {}) => {
      checkCallOptions(`${callee}.deleteCollection`, 'select', selection);
      checkCallOptions(`${callee}.deleteCollection`, 'deleteSelected', options);
      const { signal, ...query } = selection ?? {};
      const path = collectionPath(place);
      const body = deleteOptions(options);
      const response = await connection.value({ method: 'DELETE', path, query: { ...query }, body, signal });
      return response as ApiList<T> | Status;
    },
  };
}

function subresourceClient<S extends ApiObject>(place: Place): SubresourceClient<S> {
  return {
    ...objectVerbs<S>(place),
    create: async (name, object, options) => {
      checkName(`${calleeOf(place)}.create`, name);
      checkObject(`${calleeOf(place)}.create`, object);
      checkCallOptions(`${calleeOf(place)}.create`, 'create', options);
      const { signal, ...query } = options ?? {};
      const path = pathOf(place, name);
      return (await requestsOf(place).value({
        method: 'POST',
        path,
        query: { ...query },
        body: object,
        signal,
      })) as S;
    },
  };
}

function deleteOptions(options: DeleteOptions): object | undefined {
  if (Object.keys(options).length === 0) return undefined;
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
}

/** Items of typed lists omit the type of the list (semantics/list-and-watch#list). */
function withItemTypes<T extends ApiObject>(list: ApiList<T>): ApiList<T> {
  const type = { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, '') };
  const items = (list.items ?? []).map((item) =>
    item.kind === undefined ? ({ ...item, ...type } as T) : item,
  );
  return { ...list, items };
}

/** What reads collections. */
type Reading<T extends ApiObject> = Pick<ResourceClient<T>, 'list' | 'pages' | 'reference'>;

async function* pages<T extends ApiObject>(
  client: Reading<T>,
  options: EveryPageOptions = {},
): AsyncGenerator<ApiList<T>, void, undefined> {
  const { resourceVersion, resourceVersionMatch, ...rest }: EveryPageOptions = {
    limit: PAGE_LENGTH,
    ...options,
  };
  let page = await client.list({ limit: PAGE_LENGTH, ...options });
  for (;;) {
    yield page;
    const next = page.metadata.continue;
    if (!next) return;
    page = await client.list({ ...rest, continue: next });
  }
}

async function* all<T extends ApiObject>(
  client: Reading<T>,
  options?: EveryPageOptions,
): AsyncGenerator<T, void, undefined> {
  for await (const page of client.pages(options)) yield* page.items;
}

async function* watch<T extends ApiObject>(
  client: Reading<T>,
  connection: Requests,
  path: string,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  checkCallOptions(`${client.reference.resource}.watch`, 'watch', options);
  const { resourceVersion: from = '', bookmarks, timeoutSeconds, ...selection } = options;
  let resourceVersion = from;
  if (from === '' || from === '0') {
    const listed: EveryPageOptions = { ...selection, ...(from && { resourceVersion: from }) };
    for await (const page of client.pages(listed)) {
      resourceVersion = page.metadata.resourceVersion ?? '';
      for (const object of page.items) yield { type: 'ADDED', object };
    }
  }
  yield* watchEvents<T>(connection, { ...options, path, resourceVersion });
}
