import type { RoleBinding, RoleSubject } from './rbac-objects.ts';

/** Why a user holds a rule: `RoleBinding "b/ns" of Role "r" to User "u"` (semantics/access#rbac). */
export function bindingText(binding: RoleBinding, subject: RoleSubject): string {
  const { name = '', namespace = '' } = binding.metadata;
  const by = namespace === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
  const who =
    subject.kind === 'ServiceAccount'
      ? `${subject.name}/${subject.namespace || namespace}`
      : (subject.name ?? '');
  return `${by} of ${binding.roleRef?.kind} "${binding.roleRef?.name}" to ${subject.kind} "${who}"`;
}
