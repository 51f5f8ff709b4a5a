import { serviceAccountUserName, type UserInfo } from '@ashlar/core';
import type { RoleBinding, RoleSubject } from './rbac-objects.ts';

/** A binding and its position in the order of creation. */
export interface IndexedBinding {
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
  readonly #byName: Map<string, IndexedBinding> = new Map();
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
    const indexed = { binding, order };
    this.#byName.set(name, indexed);
    for (const [bindings, subject] of this.#places(binding)) add(bindings, subject, indexed);
  }

  delete(name: string): void {
    const indexed = this.#byName.get(name);
    if (!indexed) return;
    this.#byName.delete(name);
    for (const [bindings, subject] of this.#places(indexed.binding)) remove(bindings, subject, indexed);
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

  /** Returns the keys of a binding, each once. */
  *#places(binding: RoleBinding): Generator<readonly [BindingsByName, string]> {
    const subjects = binding.subjects ?? [];
    const users = subjects.flatMap((subject) => userOf(subject, binding) ?? []);
    for (const user of new Set(users)) yield [this.#byUser, user];
    const groups = subjects.flatMap(({ kind, name = '' }) => (kind === 'Group' ? name : []));
    for (const group of new Set(groups)) yield [this.#byGroup, group];
  }
}

/** Whether a subject of a binding is the user or a group of it. */
export function isSubject(subject: RoleSubject, binding: RoleBinding, { name, groups }: UserInfo): boolean {
  if (subject.kind === 'Group') return groups.includes(subject.name ?? '');
  return userOf(subject, binding) === name;
}

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

function add(bindings: BindingsByName, subject: string, indexed: IndexedBinding): void {
  const list = bindings.get(subject);
  if (list) list.splice(placeOf(list, indexed), 0, indexed);
  else bindings.set(subject, [indexed]);
}

function remove(bindings: BindingsByName, subject: string, indexed: IndexedBinding): void {
  const list = bindings.get(subject);
  const place = list ? placeOf(list, indexed) : 0;
  if (list?.[place] !== indexed) return;
  if (list.length === 1) bindings.delete(subject);
  else list.splice(place, 1);
}

/** Returns the position of a binding in a sorted list. */
function placeOf(list: readonly IndexedBinding[], { order }: IndexedBinding): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as IndexedBinding).order < order) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Merges two sorted lists of bindings without duplicates. It runs for nearly every request: no sets, no sorting. */
function merged(
  left: readonly IndexedBinding[],
  right: readonly IndexedBinding[],
): readonly IndexedBinding[] {
  const all: IndexedBinding[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    const [one, other] = [left[i] as IndexedBinding, right[j] as IndexedBinding];
    all.push(one.order <= other.order ? one : other);
    if (one.order <= other.order) i++;
    if (other.order <= one.order) j++;
  }
  for (; i < left.length; i++) all.push(left[i] as IndexedBinding);
  for (; j < right.length; j++) all.push(right[j] as IndexedBinding);
  return all;
}
