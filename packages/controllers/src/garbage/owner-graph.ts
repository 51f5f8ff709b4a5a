import type { OwnerReference } from '@ashlar/core';
import { type Ownership, waitsFor } from './ownership.ts';

/**
 * Why an object is reported: `new-owner` if only its references may be wrong, `owner-changed` if one of its
 * owners was removed or waits for it, or if it waits itself.
 */
export type Cause = 'new-owner' | 'owner-changed';

/** Called with each object that a change of the graph affects. */
export type Consider = (uid: string, cause: Cause) => void;

/** Where an owner was found. */
export interface OwnerPlace {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Objects that have owners or wait for the collector, by uid, with the edges from owners to dependents. Other
 * objects are not in it, so that they cost nothing.
 */
export class OwnerGraph {
  readonly #consider: Consider;
  readonly #objects: Map<string, Ownership> = new Map();
  /** Uids of dependents by the uid of the owner. */
  readonly #dependents: Map<string, Set<string>> = new Map();
  /** Existing owners of dependents, as read. */
  readonly #places: Map<string, OwnerPlace> = new Map();
  /** The namespaces of removed owners, by uid, which is never reused. */
  readonly #removed: Map<string, string> = new Map();
  /** Number of dependents that block an owner, not counting itself. */
  readonly #blocking: Map<string, number> = new Map();
  /**
   * Dependents that appeared after their owner began to wait, by the uid of the owner: they are ignored until
   * another one is removed.
   */
  readonly #late: Map<string, Set<string>> = new Map();

  constructor(consider: Consider) {
    this.#consider = consider;
  }

  get(uid: string): Ownership | undefined {
    return this.#objects.get(uid);
  }

  /** Returns the dependents of an object other than itself. */
  dependentsOf(uid: string): readonly Ownership[] {
    const found: Ownership[] = [];
    for (const each of this.#dependents.get(uid) ?? []) {
      const dependent = each === uid ? undefined : this.#objects.get(each);
      if (dependent) found.push(dependent);
    }
    return found;
  }

  /** Whether a dependent other than the object itself must go before it. */
  isBlocked(uid: string): boolean {
    return (this.#blocking.get(uid) ?? 0) > 0;
  }

  placeOf(uid: string): OwnerPlace | undefined {
    return this.#places.get(uid);
  }

  /** Records that an owner exists; dropped when it is removed, and with the last of its dependents. */
  setPlace(uid: string, place: OwnerPlace): void {
    if (this.#dependents.has(uid) && !this.#removed.has(uid)) this.#places.set(uid, place);
  }

  /** Whether the removal of a possible owner of an object of that namespace has been seen. */
  isRemoved(uid: string, namespace: string): boolean {
    const removed = this.#removed.get(uid);
    return removed === '' || (removed !== undefined && removed === namespace);
  }

  /** Clears the graph without reports. */
  clear(): void {
    for (const part of [
      this.#objects,
      this.#dependents,
      this.#places,
      this.#removed,
      this.#blocking,
      this.#late,
    ])
      part.clear();
  }

  /** Adds or replaces an object. An object that neither has owners nor waits is removed. */
  set(object: Ownership): void {
    const { uid } = object;
    const before = this.#objects.get(uid);
    const waits = waitsFor(object);
    if (object.owners.length > 0 || waits) this.#objects.set(uid, object);
    else this.#objects.delete(uid);
    this.#changeEdges(uid, before?.owners ?? [], object.owners);
    if (!waits) this.#late.delete(uid);
    if (!waits || (before && waitsFor(before) === waits)) return;
    for (const dependent of this.#dependents.get(uid) ?? []) this.#consider(dependent, 'owner-changed');
    this.#consider(uid, 'owner-changed');
  }

  /** Removes an object; its dependents have lost an owner. */
  remove(uid: string, namespace: string): void {
    const before = this.#objects.get(uid);
    this.#places.delete(uid);
    this.#late.delete(uid);
    if (before) {
      this.#objects.delete(uid);
      this.#changeEdges(uid, before.owners, []);
    }
    const dependents = this.#dependents.get(uid);
    if (!dependents) return;
    this.#removed.set(uid, namespace);
    for (const dependent of dependents) this.#consider(dependent, 'owner-changed');
  }

  #changeEdges(uid: string, before: readonly OwnerReference[], after: readonly OwnerReference[]): void {
    if (before === after) return;
    const old = byUid(before);
    const now = byUid(after);
    for (const [owner, reference] of old) if (!now.has(owner)) this.#removeEdge(uid, reference);
    let isNew = false;
    for (const [owner, reference] of now) {
      const was = old.get(owner);
      if (was) this.#changeEdge(uid, was, reference);
      else this.#addEdge(uid, reference);
      isNew ||= !was || !isSamePlace(was, reference);
    }
    if (isNew) this.#consider(uid, 'new-owner');
  }

  #addEdge(uid: string, { uid: owner, blockOwnerDeletion }: OwnerReference): void {
    const dependents = this.#dependents.get(owner) ?? new Set();
    this.#dependents.set(owner, dependents.add(uid));
    if (uid === owner) return;
    if (blockOwnerDeletion) this.#count(owner, 1);
    if (!this.#isWaiting(owner)) return;
    const late = this.#late.get(owner) ?? new Set();
    this.#late.set(owner, late.add(uid));
  }

  #changeEdge(uid: string, was: OwnerReference, { uid: owner, blockOwnerDeletion }: OwnerReference): void {
    if (uid === owner || Boolean(was.blockOwnerDeletion) === Boolean(blockOwnerDeletion)) return;
    this.#count(owner, blockOwnerDeletion ? 1 : -1);
    if (!blockOwnerDeletion) this.#unblock(owner);
  }

  #removeEdge(uid: string, { uid: owner, blockOwnerDeletion }: OwnerReference): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(uid);
    if (dependents?.size === 0) {
      this.#dependents.delete(owner);
      this.#places.delete(owner);
      this.#removed.delete(owner);
    }
    this.#late.get(owner)?.delete(uid);
    if (uid === owner) return;
    if (blockOwnerDeletion) this.#count(owner, -1);
    this.#unblock(owner);
  }

  #count(owner: string, difference: number): void {
    const count = (this.#blocking.get(owner) ?? 0) + difference;
    if (count > 0) this.#blocking.set(owner, count);
    else this.#blocking.delete(owner);
  }

  /** A dependent of an owner was removed, or no longer blocks it. */
  #unblock(owner: string): void {
    if (!this.#isWaiting(owner)) return;
    for (const uid of this.#late.get(owner) ?? []) this.#consider(uid, 'owner-changed');
    this.#late.delete(owner);
    if (!this.isBlocked(owner)) this.#consider(owner, 'owner-changed');
  }

  #isWaiting(uid: string): boolean {
    const object = this.#objects.get(uid);
    return object !== undefined && waitsFor(object) === 'deletion';
  }
}

/** Of several references to one owner the first counts, unless only a later one blocks. */
function byUid(references: readonly OwnerReference[]): Map<string, OwnerReference> {
  const found = new Map<string, OwnerReference>();
  for (const reference of references) {
    const first = found.get(reference.uid);
    if (!first || (!first.blockOwnerDeletion && reference.blockOwnerDeletion))
      found.set(reference.uid, reference);
  }
  return found;
}

const isSamePlace = (a: OwnerReference, b: OwnerReference): boolean =>
  a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name;
