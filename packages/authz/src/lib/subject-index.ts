import { parseServiceAccountName, type UserInfo } from '@ashlar/core';
import type { RoleBinding, RoleSubject } from './rbac-objects.ts';

interface IndexedBinding {
  readonly binding: RoleBinding;
  /** Bindings are visited in the order in which they came. */
  readonly order: number;
  readonly keys: readonly string[];
}

/**
 * The bindings of one scope by the subjects that they name, so that a question costs what its user is bound to, not
 * what there is.
 */
export class SubjectIndex {
  readonly #byName: Map<string, IndexedBinding> = new Map();
  readonly #bySubject: Map<string, Set<IndexedBinding>> = new Map();
  #order = 0;

  get size(): number {
    return this.#byName.size;
  }

  set(name: string, binding: RoleBinding): void {
    const order = this.#byName.get(name)?.order ?? this.#order++;
    this.delete(name);
    const keys = [
      ...new Set((binding.subjects ?? []).flatMap((subject) => subjectKey(subject, binding) ?? [])),
    ];
    const indexed = { binding, order, keys };
    this.#byName.set(name, indexed);
    for (const key of keys) {
      const bindings = this.#bySubject.get(key);
      if (bindings) bindings.add(indexed);
      else this.#bySubject.set(key, new Set([indexed]));
    }
  }

  delete(name: string): void {
    const indexed = this.#byName.get(name);
    if (!indexed) return;
    this.#byName.delete(name);
    for (const key of indexed.keys) {
      const bindings = this.#bySubject.get(key);
      bindings?.delete(indexed);
      if (bindings?.size === 0) this.#bySubject.delete(key);
    }
  }

  /** Bindings that name one of these subjects, in the order of visits. */
  of(keys: readonly string[]): readonly RoleBinding[] {
    const found = new Set<IndexedBinding>();
    for (const key of keys) for (const indexed of this.#bySubject.get(key) ?? []) found.add(indexed);
    return [...found].sort((a, b) => a.order - b.order).map(({ binding }) => binding);
  }
}

/** The keys under which a user is found: name, groups, service account. */
export function userKeys({ name, groups }: UserInfo): readonly string[] {
  const account = parseServiceAccountName(name);
  return [
    `User ${name}`,
    ...groups.map((group) => `Group ${group}`),
    ...(account ? [`ServiceAccount ${account.namespace}/${account.name}`] : []),
  ];
}

/** The key of a subject; a service account without namespace is of its binding's. Undefined for what is no subject. */
export function subjectKey(subject: RoleSubject, { metadata }: RoleBinding): string | undefined {
  const { kind, name = '' } = subject;
  if (kind === 'User' || kind === 'Group') return `${kind} ${name}`;
  if (kind !== 'ServiceAccount') return undefined;
  const namespace = subject.namespace || metadata.namespace || '';
  return namespace === '' ? undefined : `ServiceAccount ${namespace}/${name}`;
}
