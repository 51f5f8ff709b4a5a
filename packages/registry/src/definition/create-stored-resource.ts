import { admitConnection } from '../verbs/admit-connection.ts';
import { changeObject } from '../verbs/change-for-action.ts';
import { createObject } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import { deleteObjects } from '../verbs/delete-collection.ts';
import { deleteUnreadable } from '../verbs/delete-unreadable.ts';
import { getObject } from '../verbs/get.ts';
import { listObjects } from '../verbs/list.ts';
import { actOnObject } from '../verbs/run-action.ts';
import { updateObject } from '../verbs/update.ts';
import { watchObjects } from '../verbs/watch.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { DeleteRequest, RequestContext, ResourceStorage } from './resource-storage.ts';
import { type ResourceEnvironment, StoredResource } from './stored-resource.ts';
import { type ReadAhead, withConversion } from './with-conversion.ts';

/**
 * Creates the verbs of a resource type in a store.
 * @example
 * const storage = createStoredResource(definition, { store, ambient, admission });
 * await storage.create(context, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
 */
export function createStoredResource(
  definition: ResourceDefinition,
  environment: ResourceEnvironment,
): ResourceStorage {
  const resourceFor = viewByVersion(definition, environment);
  const verbs: Required<ResourceStorage> = {
    get: (context, request) => getObject(resourceFor(context), context, request),
    list: (context, request) => listObjects(resourceFor(context), context, request),
    watch: (context, request, sink) => watchObjects(resourceFor(context), context, request, sink),
    create: (context, object) => createObject(resourceFor(context), context, object),
    update: (context, request) => updateObject(resourceFor(context), context, request),
    delete: (context, name, request) => {
      warnOfPropagation(definition, context, request);
      return deleteObject(resourceFor(context), context, name, request);
    },
    deleteUnreadable: (context, name) => deleteUnreadable(resourceFor(context), context, name),
    act: (context, request) => actOnObject(resourceFor(context), context, request),
    admitConnection: (context, request) => admitConnection(resourceFor(context), context, request),
    change: (context, name, change) => changeObject(resourceFor(context), context, name, change),
    deleteCollection: (context, list, request) => {
      warnOfPropagation(definition, context, request);
      return deleteObjects(resourceFor(context), context, list, request);
    },
  };
  const storage: ResourceStorage = { ...verbs };
  if (!definition.actions) delete storage.act;
  if (!definition.connections) delete storage.admitConnection;
  for (const verb of definition.withoutVerbs ?? [])
    delete storage[STORAGE_VERBS[verb] as keyof ResourceStorage];
  return storage;
}

/** Warns of a deletion that leaves to the kind what happens to dependents (semantics/verbs#delete). */
function warnOfPropagation(
  { strategy }: ResourceDefinition,
  { warn }: RequestContext,
  { propagationPolicy }: DeleteRequest,
): void {
  if (strategy.propagationWarning && !propagationPolicy) warn(strategy.propagationWarning);
}

/** Returns the resource for a request: of custom types through a store that converts to the request's version, and reads large objects ahead. */
function viewByVersion(
  definition: ResourceDefinition,
  environment: ResourceEnvironment,
): (context: RequestContext) => StoredResource {
  const unconverted = new StoredResource(definition, environment);
  if (definition.dialect !== 'custom') return () => unconverted;
  const views = new Map<string, StoredResource>();
  return ({ version }) => {
    let view = views.get(version);
    if (!view) {
      const ahead: ReadAhead = (records, isReadAlone) => unconverted.readAhead(records, version, isReadAlone);
      const store = withConversion(environment.store, ahead, environment.converter !== undefined);
      view = new StoredResource(definition, { ...environment, store });
      views.set(version, view);
    }
    return view;
  };
}

const STORAGE_VERBS: Readonly<Record<string, keyof ResourceStorage>> = {
  get: 'get',
  list: 'list',
  watch: 'watch',
  create: 'create',
  update: 'update',
  delete: 'delete',
  deletecollection: 'deleteCollection',
};
