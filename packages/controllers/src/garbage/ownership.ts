import type { ResourceReference } from '@ashlar/client';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type OwnerReference } from '@ashlar/core';

/** The part of an object that the garbage collector needs. */
export interface Ownership {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  /** Whether it has a deletion timestamp. */
  readonly isBeingDeleted: boolean;
}

/** A served resource type. */
export interface OwnedType {
  readonly reference: ResourceReference;
  readonly namespaced: boolean;
}

/** Receives the objects that have owners or wait for the collector, in the order of their changes. */
export interface OwnershipObserver {
  /** All of them: called first, and again after changes may have been missed. */
  replaced(objects: readonly Ownership[]): void;
  /** One that has or had owners, or waits or waited for the collector. */
  changed(object: Ownership): void;
  /** Any object, also one that has never been reported. */
  removed(uid: string, namespace: string): void;
  /** Types are served, or no longer served. */
  typesChanged(): void;
}

/** The cluster as the collector sees it: metadata only. */
export interface OwnershipSource {
  /** Reports until it is disposed. The observer is not called before this returns. */
  follow(observer: OwnershipObserver): Disposable;
  /** Returns the type that is served under exactly this version. */
  typeOf(apiVersion: string, kind: string): OwnedType | undefined;
  /** Like `typeOf`, but accepts another version of the group if this one is not served. */
  typeInAnyVersion(apiVersion: string, kind: string): OwnedType | undefined;
  /** Reads an object; the read sees every write that was acknowledged before. */
  find(type: OwnedType, namespace: string, name: string): Promise<Ownership | undefined>;
  /** Returns the namespace in which an object of that type, name and uid is. */
  namespaceOf(type: OwnedType, name: string, uid: string): Promise<string | undefined>;
}

/** Returns what a deleted object waits for before it goes: that its dependents are deleted, or released. */
export function waitsFor({ isBeingDeleted, finalizers }: Ownership): 'deletion' | 'release' | undefined {
  if (!isBeingDeleted) return undefined;
  if (finalizers.includes(FOREGROUND_FINALIZER)) return 'deletion';
  return finalizers.includes(ORPHAN_FINALIZER) ? 'release' : undefined;
}
