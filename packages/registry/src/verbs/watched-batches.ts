import type { ObjectEvent } from '@ashlar/storage';
import type { WatchedEvent } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** What a batch is to the watchers of one resource in one version. */
interface WatchedBatch {
  readonly resource: StoredResource;
  readonly version: string;
  readonly events: readonly WatchedEvent[];
}

const watched = new WeakMap<readonly ObjectEvent[], WatchedBatch>();

/** Returns the events of a batch for watchers that select every object: the same array for all that receive the same batch. */
export function watchedEvents(
  resource: StoredResource,
  version: string,
  batch: readonly ObjectEvent[],
): readonly WatchedEvent[] {
  const known = watched.get(batch);
  if (known?.resource === resource && known.version === version) return known.events;
  const events = batch.map(
    (event): WatchedEvent => ({ type: typeOf(event), record: resource.toResult(event.record, version) }),
  );
  watched.set(batch, { resource, version, events });
  return events;
}

function typeOf({ type, previous }: ObjectEvent): WatchedEvent['type'] {
  if (type === 'removed') return 'DELETED';
  return previous === undefined ? 'ADDED' : 'MODIFIED';
}
