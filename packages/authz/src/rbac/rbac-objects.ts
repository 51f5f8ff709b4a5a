import type { ApiObject } from '@ashlar/core';
import type { PolicyRule } from './policy-rule.ts';

/** A Role or ClusterRole. */
export interface Role extends ApiObject {
  readonly rules?: readonly PolicyRule[] | null;
}

/** A subject of a binding. */
export interface RoleSubject {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  /** Of service accounts. */
  readonly namespace?: string;
}

/** The role that a binding grants. */
export interface RoleReference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** A RoleBinding or ClusterRoleBinding. */
export interface RoleBinding extends ApiObject {
  readonly subjects?: readonly RoleSubject[];
  readonly roleRef?: RoleReference;
}
