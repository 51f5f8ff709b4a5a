import {
  type Ambient,
  type ApiObject,
  andThen,
  type JsonValue,
  type MaybePromise,
  runInSlices,
  type Steps,
} from '@ashlar/core';
import type { Change, ObjectStore } from '@ashlar/storage';
import { sortedMembersSteps } from './sorted-members.ts';

/** Wraps a store so that objects are written with their members in the order of their names. */
export function sortedStore(store: ObjectStore, ambient: Ambient): ObjectStore {
  const sorted = (change: Change): MaybePromise<Change> =>
    change.action === 'write'
      ? andThen(sortedObject(change.object, ambient), (object) => ({ ...change, object }))
      : change;
  const { usage } = store;
  return {
    get: (key, options) => store.get(key, options),
    list: (prefix, options) => store.list(prefix, options),
    update: (key, change, options) =>
      store.update(key, (current) => andThen(change(current), sorted), options),
    watch: (prefix, options, observer) => store.watch(prefix, options, observer),
    currentRevision: () => store.currentRevision(),
    ...(usage && { usage: () => usage.call(store) }),
  };
}

/** Returns an object with its members in the order of their names; a large one is sorted with pauses. */
export function sortedObject(object: ApiObject, ambient: Ambient): MaybePromise<ApiObject> {
  return runInSlices(sortedSteps(object), ambient);
}

/** The same as steps. */
export const sortedSteps = (object: ApiObject): Steps<ApiObject> =>
  sortedMembersSteps(object as unknown as JsonValue) as unknown as Steps<ApiObject>;
