import { groupName, StatusError, type Steps, type UserInfo, type Vocabulary } from '@ashlar/core';
import type { PolicyRule } from './policy-rule.ts';
import type { Role, RoleBinding, RoleReference, RoleSubject } from './rbac-objects.ts';
import { type IndexedBinding, SubjectIndex } from './subject-index.ts';

/** One rule of a user, and its source. */
export interface UserRule {
  readonly rule: PolicyRule;
  readonly binding: RoleBinding;
  /** The subject of the binding that the user is. */
  readonly subject: RoleSubject;
}

/** Receives the rules of a user; `true` ends the visit. */
export interface RuleVisitor {
  /** Whether to visit the rules of a role, which may be bound several times. Default: yes */
  role?(rules: readonly PolicyRule[]): boolean;
  rule(rule: UserRule): boolean;
  /** Called for a binding whose role is missing; the visit continues unless it returns `true`. */
  error(error: Error): boolean | undefined;
}

/** The roles of a user, and why there may be more. */
export interface HeldRoles {
  /** The rules of each role, once. */
  readonly roles: readonly (readonly PolicyRule[])[];
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
    for (const bindings of this.#bindingsOf(user, namespace))
      for (const bound of bindings) if (this.#visitRole(bound, visitor)) return;
  }

  /** The same with a pause after each role. */
  *visitSteps(user: UserInfo, namespace: string, visitor: RuleVisitor): Steps<void> {
    // the lists are those of the index, which may change during a pause
    for (const bound of this.#bindingsOf(user, namespace).flat()) {
      if (this.#visitRole(bound, visitor)) return;
      yield;
    }
  }

  /** Returns the roles of a user in a namespace, or in the cluster if it is empty. */
  heldBy(user: UserInfo, namespace: string): HeldRoles {
    const roles = new Set<readonly PolicyRule[]>();
    const errors: Error[] = [];
    this.visit(user, namespace, {
      role: (rules) => {
        roles.add(rules);
        return false;
      },
      rule: () => false,
      error: (error) => void errors.push(error),
    });
    return { roles: [...roles], errors };
  }

  #bindingsOf(user: UserInfo, namespace: string): readonly (readonly IndexedBinding[])[] {
    const bindings = namespace === '' ? undefined : this.#bindings.get(namespace)?.of(user);
    return bindings ? [this.#clusterBindings.of(user), bindings] : [this.#clusterBindings.of(user)];
  }

  #visitRole({ binding, subject }: IndexedBinding, visitor: RuleVisitor): boolean {
    let rules: readonly PolicyRule[];
    try {
      rules = this.rulesOf(binding.roleRef ?? {}, binding.metadata.namespace ?? '');
    } catch (error) {
      return visitor.error(error as Error) === true;
    }
    if (visitor.role?.(rules) === false) return false;
    for (const rule of rules) if (visitor.rule({ rule, binding, subject })) return true;
    return false;
  }
}

const nameOf = ({ metadata }: Role): string => metadata.name ?? '';
