import type { Aggregation, ApiService } from '@ashlar/aggregation';
import { type Ambient, type ApiObject, groupName } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import type { ObjectFollower } from './follow-objects.ts';
import { LazyFollowing } from './lazy-following.ts';

/** Tells an aggregation which API services are stored. */
export interface LiveApiServices extends Disposable {
  /** Begins. Returns a promise until it knows every existing API service. */
  synced(): Promise<void> | undefined;
}

export interface LiveApiServicesOptions {
  readonly ambient: Ambient;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows API services, and, from the first that names one on, the services of the cluster and their endpoints: a server that
 * passes no requests on does not need to know them.
 */
export function createLiveApiServices(
  store: ObjectStore,
  aggregation: Aggregation,
  { ambient, onError }: LiveApiServicesOptions,
): LiveApiServices {
  const { clock, vocabulary } = ambient;
  const changed = ({ metadata }: ApiObject): void =>
    aggregation.serviceChanged(metadata.namespace ?? '', metadata.name ?? '');
  const ofCluster: ObjectFollower = { set: changed, delete: changed };
  const cluster = new LazyFollowing(
    store,
    { '/services/': ofCluster, '/endpoints/': ofCluster },
    { clock, onError },
  );
  const services = new LazyFollowing(
    store,
    {
      [`/apiservices.${groupName(vocabulary, 'apiregistration.')}/`]: {
        set(object) {
          aggregation.set(object as ApiService);
          if ((object as ApiService).spec.service) void cluster.synced();
        },
        delete: (object) => aggregation.delete(object as ApiService),
      },
    },
    { clock, onError },
  );
  return {
    synced: () => services.synced(),
    [Symbol.dispose]() {
      services[Symbol.dispose]();
      cluster[Symbol.dispose]();
    },
  };
}
