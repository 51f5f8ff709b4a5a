import { groupName, StatusError, type UserInfo, type Vocabulary } from '@ashlar/core';
import type { PolicyRule } from './policy-rule.ts';
import type { Role, RoleBinding, RoleReference } from './rbac-objects.ts';
import { type IndexedBinding, isSubject, SubjectIndex } from './subject-index.ts';

/** One rule of a user, and its source. */
export interface UserRule {
  readonly rule: PolicyRule;
  readonly binding: RoleBinding;
}

/** Receives the rules of a user; `true` ends the visit. */
export interface RuleVisitor {
  rule(rule: UserRule): boolean;
  /** Called for a binding whose role is missing; the visit continues. */
  error(error: Error): void;
}

/** Rules of a user, and why there may be more. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly Error[];
}

/**
 * Roles and bindings, indexed by subject. Changes of the store are applied by `set…` and `delete…`.
 */
export class RbacPolicy {
  readonly group: string;
  readonly #clusterRoles: Map<string, Role> = new Map();
  /** By namespace, then by name. */
  readonly #roles: Map<string, Map<string, Role>> = new Map();
  readonly #clusterBindings: SubjectIndex = new SubjectIndex();
  readonly #bindings: Map<string, SubjectIndex> = new Map();

  constructor(vocabulary: Vocabulary) {
    this.group = groupName(vocabulary, 'rbac.authorization.');
  }

  setRole(role: Role): void {
    const { namespace = '' } = role.metadata;
    const roles = this.#roles.get(namespace) ?? new Map<string, Role>();
    roles.set(nameOf(role), role);
    this.#roles.set(namespace, roles);
  }

  deleteRole(role: Role): void {
    const { namespace = '' } = role.metadata;
    const roles = this.#roles.get(namespace);
    roles?.delete(nameOf(role));
    if (roles?.size === 0) this.#roles.delete(namespace);
  }

  setClusterRole(role: Role): void {
    this.#clusterRoles.set(nameOf(role), role);
  }

  deleteClusterRole(role: Role): void {
    this.#clusterRoles.delete(nameOf(role));
  }

  setRoleBinding(binding: RoleBinding): void {
    const { namespace = '' } = binding.metadata;
    const index = this.#bindings.get(namespace) ?? new SubjectIndex();
    index.set(nameOf(binding), binding);
    this.#bindings.set(namespace, index);
  }

  deleteRoleBinding(binding: RoleBinding): void {
    const { namespace = '' } = binding.metadata;
    const index = this.#bindings.get(namespace);
    index?.delete(nameOf(binding));
    if (index?.size === 0) this.#bindings.delete(namespace);
  }

  setClusterRoleBinding(binding: RoleBinding): void {
    this.#clusterBindings.set(nameOf(binding), binding);
  }

  deleteClusterRoleBinding(binding: RoleBinding): void {
    this.#clusterBindings.delete(nameOf(binding));
  }

  /** All cluster roles, by name. */
  clusterRoles(): readonly Role[] {
    return [...this.#clusterRoles.values()];
  }

  /**
   * The rules of a role that a binding references.
   * @param namespace of the binding, where roles are looked up
   * @throws StatusError 404
   */
  rulesOf({ kind = '', name = '' }: RoleReference, namespace: string): readonly PolicyRule[] {
    const role = kind === 'Role' ? this.#roles.get(namespace)?.get(name) : this.#clusterRoles.get(name);
    if (!role) throw StatusError.notFound({ group: this.group, resource: kind.toLowerCase() }, name);
    return role.rules ?? [];
  }

  /**
   * Visits the rules of a user: first of cluster bindings, then of those of the namespace
   * (semantics/access#rbac).
   */
  visit(user: UserInfo, namespace: string, visitor: RuleVisitor): void {
    if (this.#visitAll(this.#clusterBindings.of(user), visitor) || namespace === '') return;
    const bindings = this.#bindings.get(namespace);
    if (bindings) this.#visitAll(bindings.of(user), visitor);
  }

  /** Returns all rules of a user in a namespace, or in the cluster if it is empty. */
  rulesFor(user: UserInfo, namespace: string): UserRules {
    const rules: PolicyRule[] = [];
    const errors: Error[] = [];
    this.visit(user, namespace, {
      rule({ rule }) {
        rules.push(rule);
        return false;
      },
      error: (error) => void errors.push(error),
    });
    return { rules, errors };
  }

  #visitAll(bindings: readonly IndexedBinding[], visitor: RuleVisitor): boolean {
    for (const { binding } of bindings) {
      try {
        const rules = this.rulesOf(binding.roleRef ?? {}, binding.metadata.namespace ?? '');
        for (const rule of rules) if (visitor.rule({ rule, binding })) return true;
      } catch (error) {
        visitor.error(error as Error);
      }
    }
    return false;
  }
}

/** Why a user holds a rule: `RoleBinding "b/ns" of Role "r" to User "u"` (semantics/access#rbac). */
export function bindingText(binding: RoleBinding, user: UserInfo): string {
  const { name = '', namespace = '' } = binding.metadata;
  const subject = binding.subjects?.find((each) => isSubject(each, binding, user));
  const by = namespace === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
  const who =
    subject?.kind === 'ServiceAccount'
      ? `${subject.name}/${subject.namespace || namespace}`
      : (subject?.name ?? '');
  return `${by} of ${binding.roleRef?.kind} "${binding.roleRef?.name}" to ${subject?.kind} "${who}"`;
}

const nameOf = ({ metadata }: Role): string => metadata.name ?? '';
