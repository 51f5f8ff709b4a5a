import { changeObject } from './change.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { deleteObjects } from './delete-collection.ts';
import { getObject } from './get.ts';
import { listObjects } from './list.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { ResourceStorage } from './resource-storage.ts';
import { type ResourceEnvironment, StoredResource } from './stored-resource.ts';
import { updateObject } from './update.ts';
import { watchObjects } from './watch.ts';

/**
 * The verbs of a resource type that is kept in a store.
 * @example
 * const storage = createStoredResource(definition, { store, ambient, admission });
 * await storage.create(context, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
 */
export function createStoredResource(
  definition: ResourceDefinition,
  environment: ResourceEnvironment,
): ResourceStorage {
  const resource = new StoredResource(definition, environment);
  const verbs: Required<ResourceStorage> = {
    get: (context, request) => getObject(resource, context, request),
    list: (context, request) => listObjects(resource, context, request),
    watch: (context, request, sink) => watchObjects(resource, context, request, sink),
    create: (context, object) => createObject(resource, context, object),
    update: (context, request) => updateObject(resource, context, request),
    delete: (context, name, request) => deleteObject(resource, context, name, request),
    change: (context, name, change) => changeObject(resource, context, name, change),
    deleteCollection: (context, list, request) => deleteObjects(resource, context, list, request),
  };
  const storage: ResourceStorage = { ...verbs };
  for (const verb of definition.withoutVerbs ?? [])
    delete storage[STORAGE_VERBS[verb] as keyof ResourceStorage];
  return storage;
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
