import { andThen, type MaybePromise, StatusError } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
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
import { ConversionAhead } from './conversion-ahead.ts';
import { type ResourceDefinition, storedPrefix } from './resource-definition.ts';
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
  const { resourceFor, noteRead, close } = viewByVersion(definition, environment);
  const verbs: Required<ResourceStorage> = {
    get: (context, request) => {
      noteRead(context);
      return getObject(resourceFor(context), context, request);
    },
    list: (context, request) => {
      noteRead(context);
      return listObjects(resourceFor(context), context, request);
    },
    watch: (context, request, sink) => watchObjects(resourceFor(context), context, request, sink),
    create: (context, object) => createObject(resourceFor(context), context, object),
    update: (context, request) => updateObject(resourceFor(context), context, request),
    delete: (context, name, request) => {
      refuseDeletion(definition, name);
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
    count: () => countObjects(definition, environment),
    close,
  };
  const storage: ResourceStorage = { ...verbs };
  if (!environment.converter?.mayChange) delete storage.close;
  if (!definition.actions) delete storage.act;
  if (!definition.connections) delete storage.admitConnection;
  for (const verb of definition.withoutVerbs ?? [])
    delete storage[STORAGE_VERBS[verb] as keyof ResourceStorage];
  return storage;
}

function countObjects(definition: ResourceDefinition, { store }: ResourceEnvironment): MaybePromise<number> {
  const counted = store.list(storedPrefix(definition), { limit: 0, notOlderThan: 0 });
  return andThen(counted, ({ remaining }) => remaining);
}

/** @throws StatusError 403 if an object is not to be deleted by its name */
function refuseDeletion({ group, names, strategy }: ResourceDefinition, name: string): void {
  const why = strategy.deletionRefusal?.(name);
  if (why !== undefined) throw StatusError.forbidden({ group, resource: names.plural }, name, why);
}

/** Warns of a deletion that leaves to the kind what happens to dependents (semantics/verbs#delete). */
function warnOfPropagation(
  { strategy }: ResourceDefinition,
  { warn }: RequestContext,
  { propagationPolicy }: DeleteRequest,
): void {
  if (strategy.propagationWarning && !propagationPolicy) warn(strategy.propagationWarning);
}

/** A type as its verbs use it. */
interface Views {
  /** Returns the resource for a request. */
  resourceFor(context: RequestContext): StoredResource;
  /** Called before the version of a request is read. */
  noteRead(context: RequestContext): void;
  close(): void;
}

/** Custom types are used through a store that converts to the request's version, and reads large objects ahead. */
function viewByVersion(definition: ResourceDefinition, environment: ResourceEnvironment): Views {
  const unconverted = new StoredResource(definition, environment);
  if (definition.dialect !== 'custom')
    return { resourceFor: () => unconverted, noteRead: () => {}, close: () => {} };
  const views = new Map<string, StoredResource>();
  const resourceFor = ({ version }: RequestContext): StoredResource => {
    let view = views.get(version);
    if (!view) {
      const ahead: ReadAhead = (records, isReadAlone) => unconverted.readAhead(records, version, isReadAlone);
      const store = withConversion(environment.store, ahead, environment.converter !== undefined);
      view = new StoredResource(definition, { ...environment, store });
      views.set(version, view);
    }
    return view;
  };
  return { resourceFor, ...conversionsAhead(unconverted, environment) };
}

/** Keeps the versions converted that are read, if a webhook converts them. */
function conversionsAhead(
  resource: StoredResource,
  { converter }: ResourceEnvironment,
): Pick<Views, 'noteRead' | 'close'> {
  if (!converter?.mayChange) return { noteRead: () => {}, close: () => {} };
  const { store, prefix, ambient } = resource;
  const versions = new Map<string, ConversionAhead>();
  const startFor = (version: string): ConversionAhead => {
    const convert = (records: readonly ObjectRecord[]): MaybePromise<void> | undefined =>
      resource.convertAhead(records, version);
    const started = new ConversionAhead({ store, prefix, ambient, convert });
    versions.set(version, started);
    return started;
  };
  return {
    noteRead: ({ version }) => (versions.get(version) ?? startFor(version)).noteRead(),
    close: () => {
      for (const each of versions.values()) each[Symbol.dispose]();
    },
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
