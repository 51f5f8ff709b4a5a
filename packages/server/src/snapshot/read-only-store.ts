import { StatusError } from '@ashlar/core';
import type { KeyValueStore } from '@ashlar/storage';

/** Wraps a store so that nothing is written: each write is refused with 405. */
export function readOnlyStore(store: KeyValueStore): KeyValueStore {
  const refuse = (): never => {
    throw new StatusError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'this server is read-only',
    });
  };
  const { fork, usage, reachedRevision } = store;
  return {
    supports: store.supports,
    get: (key, options) => store.get(key, options),
    range: (prefix, options) => store.range(prefix, options),
    put: refuse,
    delete: refuse,
    watch: (prefix, options, observer) => store.watch(prefix, options, observer),
    currentRevision: () => store.currentRevision(),
    compact: () => {},
    ...(fork && { fork: () => readOnlyStore(fork.call(store)) }),
    ...(usage && { usage: () => usage.call(store) }),
    ...(reachedRevision && { reachedRevision: () => reachedRevision.call(store) }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
