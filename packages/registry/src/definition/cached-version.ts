import type { ObjectRecord } from '@ashlar/storage';
import type { ResourceVersion } from './resource-definition.ts';

/** A record in one version, valid as long as the definition of the version is the same. */
export interface CachedVersion {
  of: ResourceVersion | undefined;
  record: ObjectRecord | undefined;
  /** Settled when another request has read it: nobody else needs to. */
  reading: Promise<void> | undefined;
}

const kept = new WeakMap<ObjectRecord, Map<string, CachedVersion>>();

/**
 * Returns a version of a record that a converter may make, created if there is none. Other caches of a record are cleared when it is
 * superseded; this one stays as long as the record does: who has waited for a conversion, as the watches that see an object leave their
 * selection, cannot wait for it again.
 */
export function keptVersion(record: ObjectRecord, version: string, make: () => CachedVersion): CachedVersion {
  const versions = kept.get(record) ?? new Map<string, CachedVersion>();
  const cached = versions.get(version) ?? make();
  kept.set(record, versions.set(version, cached));
  return cached;
}
