import type { AdmissionRequest } from '@ashlar/admission';
import type { PolicyRule, RbacPolicy, RoleBinding } from '@ashlar/authz';
import { goQuote, ownMember, requireNameParameter, StatusError } from '@ashlar/core';

const PLURALS: Readonly<Record<string, string>> = { Role: 'roles', ClusterRole: 'clusterroles' };

/** The resource of a kind of roles. @throws StatusError 500 for another kind, as the reference server does */
export function pluralOfRole(kind: string): string {
  const plural = ownMember(PLURALS, kind);
  if (plural !== undefined) return plural;
  const message = `unsupported role reference kind: ${goQuote(kind)}`;
  throw new StatusError({ code: 500, reason: '', message });
}

/**
 * The rules of the role that a binding names.
 * @throws StatusError 404 for the role, with the resource of the binding, as the reference server does;
 * 400 for a name that no role has
 */
export function boundRules(
  { resource, namespace }: AdmissionRequest,
  policy: RbacPolicy,
  { roleRef = {} }: RoleBinding,
): readonly PolicyRule[] {
  requireRoleName(roleRef, namespace);
  try {
    return policy.rulesOf(roleRef, namespace);
  } catch {
    throw StatusError.notFound(resource, roleRef.name ?? '');
  }
}

/** @throws StatusError 400 */
function requireRoleName({ kind, name }: NonNullable<RoleBinding['roleRef']>, namespace: string): void {
  if (kind === 'Role' && namespace === '') throw StatusError.badRequest('Namespace parameter required.');
  requireNameParameter(name);
}
