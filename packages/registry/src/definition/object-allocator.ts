import type { Ambient, ApiObject, MaybePromise } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';

/** What a write was given besides its own key, such as addresses, until it is known whether the object is stored. */
export interface Allocation {
  /** The object with what it was given. */
  readonly object: ApiObject;
  /** Called when the object is stored: gives back what it no longer has. */
  commit(): MaybePromise<void>;
  /** Called when the object is not stored: gives back what was taken for it. */
  revert(): MaybePromise<void>;
}

/**
 * Gives objects of a type what they share with others, such as addresses of a range, and takes it back. Failures of `commit`, `revert` and
 * `release` must not be thrown: a leak is better than a refused write, and is found by `repair`.
 */
export interface ObjectAllocator {
  /**
   * Runs before the kind prepares and validates an object. A dry run takes nothing.
   * @param stored absent for new objects
   * @throws StatusError if the range is exhausted, or does not have what the object asks for
   */
  begin(
    object: ApiObject,
    stored: ApiObject | undefined,
    options: { readonly dryRun: boolean },
  ): MaybePromise<Allocation>;
  /** Takes back what a removed object had. */
  release(removed: ApiObject): Promise<void>;
  /** Makes the records of what is given away agree with the stored objects. Called at start and then from time to time. */
  repair(): Promise<void>;
}

/** The ranges of a cluster from which services get their addresses. */
export interface ServiceNetwork {
  /** One CIDR, or two of different families; the first is the default. Default `10.0.0.0/24`. */
  readonly clusterIpRanges?: readonly string[];
  /** First and last port: default `30000-32767`. */
  readonly nodePortRange?: string;
}

/** What an allocator works with. */
export interface AllocatorEnvironment {
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  /** Prefix of the keys of its records, with a slash at the end. */
  readonly recordPrefix: string;
  readonly serviceNetwork?: ServiceNetwork | undefined;
  /** Deletes an object of another core type, if it exists. */
  deleteRelated(plural: string, namespace: string, name: string): Promise<void>;
  onError(error: unknown): void;
}
