import { serviceAccountUserName, type UserInfo } from '@ashlar/core';
import type { RoleBinding, RoleSubject } from './rbac-objects.ts';

/** A binding, its position in the order of creation, and the subject by which it is found. */
export interface IndexedBinding {
  readonly binding: RoleBinding;
  readonly order: number;
  readonly subject: RoleSubject;
  /** Position of the subject. */
  readonly place: number;
}

interface OrderedBinding {
  readonly binding: RoleBinding;
  readonly order: number;
}

/** Bindings by a name of their subjects; each list is in order of creation. */
type BindingsByName = Map<string, IndexedBinding[]>;

const NONE: readonly IndexedBinding[] = [];

/**
 * The bindings of one scope by subject, so that a lookup costs what its user is bound to, regardless of other
 * bindings.
 */
export class SubjectIndex {
  readonly #byName: Map<string, OrderedBinding> = new Map();
  readonly #byUser: BindingsByName = new Map();
  readonly #byGroup: BindingsByName = new Map();
  #order = 0;

  get size(): number {
    return this.#byName.size;
  }

  /** @param binding must not be modified afterwards: it is found and removed by its subjects */
  set(name: string, binding: RoleBinding): void {
    const order = this.#byName.get(name)?.order ?? this.#order++;
    this.delete(name);
    this.#byName.set(name, { binding, order });
    for (const [place, subject] of (binding.subjects ?? []).entries()) {
      const { bindings, key } = this.#listOf(subject, binding);
      if (bindings) add(bindings, key, { binding, order, subject, place });
    }
  }

  delete(name: string): void {
    const indexed = this.#byName.get(name);
    if (!indexed) return;
    this.#byName.delete(name);
    for (const subject of indexed.binding.subjects ?? []) {
      const { bindings, key } = this.#listOf(subject, indexed.binding);
      if (bindings) remove(bindings, key, indexed.order);
    }
  }

  /** Bindings of the user or a group of it, in order of creation; valid until the next change. */
  of({ name, groups }: UserInfo): readonly IndexedBinding[] {
    let found: readonly IndexedBinding[] = this.#byUser.get(name) ?? NONE;
    for (const group of groups) {
      const more = this.#byGroup.get(group);
      if (more) found = found.length === 0 ? more : merged(found, more);
    }
    return found;
  }

  /** Where bindings of a subject are found; nowhere for unknown kinds. */
  #listOf(subject: RoleSubject, binding: RoleBinding): { bindings?: BindingsByName; key: string } {
    if (subject.kind === 'Group') return { bindings: this.#byGroup, key: subject.name ?? '' };
    const user = userOf(subject, binding);
    return user === undefined ? NOWHERE : { bindings: this.#byUser, key: user };
  }
}

const NOWHERE = { key: '' };

/**
 * Returns the user name of a subject; the namespace of a service account defaults to that of its binding.
 * Undefined for groups.
 */
function userOf({ kind, name = '', namespace }: RoleSubject, { metadata }: RoleBinding): string | undefined {
  if (kind === 'User') return name;
  const home = namespace || metadata.namespace || '';
  return kind === 'ServiceAccount' && home !== ''
    ? serviceAccountUserName({ namespace: home, name })
    : undefined;
}

/** Adds a binding by a subject, unless an equal subject is before it. */
function add(bindings: BindingsByName, key: string, indexed: IndexedBinding): void {
  const list = bindings.get(key);
  const place = list ? placeOf(list, indexed.order) : 0;
  if (!list) bindings.set(key, [indexed]);
  else if (list[place]?.order !== indexed.order) list.splice(place, 0, indexed);
}

function remove(bindings: BindingsByName, key: string, order: number): void {
  const list = bindings.get(key);
  const place = list ? placeOf(list, order) : 0;
  if (list?.[place]?.order !== order) return;
  if (list.length === 1) bindings.delete(key);
  else list.splice(place, 1);
}

/** Returns the position of a binding in a sorted list. */
function placeOf(list: readonly IndexedBinding[], order: number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as IndexedBinding).order < order) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Merges two sorted lists of bindings without duplicates, each by its first subject. It runs for nearly every request: no sets, no sorting. */
function merged(
  left: readonly IndexedBinding[],
  right: readonly IndexedBinding[],
): readonly IndexedBinding[] {
  const all: IndexedBinding[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    const [one, other] = [left[i] as IndexedBinding, right[j] as IndexedBinding];
    const isFirst = one.order === other.order ? one.place < other.place : one.order < other.order;
    all.push(isFirst ? one : other);
    if (one.order <= other.order) i++;
    if (other.order <= one.order) j++;
  }
  for (; i < left.length; i++) all.push(left[i] as IndexedBinding);
  for (; j < right.length; j++) all.push(right[j] as IndexedBinding);
  return all;
}
