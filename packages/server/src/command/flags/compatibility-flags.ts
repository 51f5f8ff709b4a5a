import { FEATURES } from './flag-groups.ts';
import { integer, list, toggle } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Flags of other servers whose promise this server keeps in any case. */
export interface CompatibilityFlags {
  readonly 'contention-profiling'?: boolean;
  readonly 'default-watch-cache-size'?: number;
  readonly 'delete-collection-workers'?: number;
  readonly 'enable-garbage-collector'?: true;
  readonly 'permit-address-sharing'?: true;
  readonly 'permit-port-sharing'?: false;
  readonly 'watch-cache'?: true;
  readonly 'watch-cache-sizes'?: readonly string[];
}

/** A toggle that only has one value here. */
function always<T extends boolean>(value: T, meaning: string, why: string): Flag<T> {
  const { parse } = toggle(FEATURES, meaning);
  return {
    ...{ group: FEATURES, meaning },
    parse(argument) {
      if (parse(argument) !== value) throw new Error(why);
      return value;
    },
  };
}

const sizes = list(
  FEATURES,
  'RESOURCE#SIZE,…',
  'sizes of the caches of watches; have no effect, since these grow as needed',
);

const watchCacheSizes: Flag<readonly string[]> = {
  ...sizes,
  parse(argument) {
    const all = sizes.parse(argument);
    for (const each of all) {
      const [, resource, size] = /^([^#]+)#(\d+)$/.exec(each) ?? [];
      if (resource === undefined) throw new Error(`${each} is not of the form RESOURCE#SIZE`);
      if (Number(size) === 0) throw new Error(`the cache of ${resource} cannot be switched off`);
    }
    return all;
  },
};

export const compatibilityFlags: FlagTableOf<CompatibilityFlags> = {
  'contention-profiling': toggle(
    FEATURES,
    'serve the profile block, which is empty in any case, since one thread handles all requests',
  ),
  'default-watch-cache-size': integer(
    FEATURES,
    'SIZE',
    'size of the caches of watches; has no effect, since these grow as needed',
    1_000_000_000,
    1,
  ),
  'delete-collection-workers': integer(
    FEATURES,
    'N',
    'workers of the deletion of a collection; has no effect, since 64 objects are deleted at a time in any case',
    1_000_000,
    1,
  ),
  'enable-garbage-collector': always(
    true,
    'delete the dependents of deleted objects, as this server always does, or a controller manager beside it',
    'the collection of garbage cannot be switched off in the API; --controllers *,-garbagecollector leaves it to others',
  ),
  'permit-address-sharing': always(
    true,
    'listen although connections of an earlier process still use the address, as this server always does',
    'this server always listens although connections of an earlier process still use the address',
  ),
  'permit-port-sharing': always(
    false,
    'share the port with other processes, which this server never does',
    'this server cannot share its port with other processes',
  ),
  'watch-cache': always(
    true,
    'serve watches from memory, as this server always does',
    'watches are always served from memory',
  ),
  'watch-cache-sizes': watchCacheSizes,
};
