import {
  type ApiObject,
  choiceErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  goQuote,
  groupName,
  type JsonObject,
  jsonEqual,
  PrintedValue,
  pathSegmentErrors,
  type Vocabulary,
  validatePathSegment,
} from '@ashlar/core';
import type { ColumnDefinition, ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../types/columns.ts';
import { each, follows, NO_ERRORS, named } from '../workloads/field-rules.ts';
import { clusterRoleBindingSchema, roleBindingSchema } from '../workloads/shapes/rbac/roles.ts';
import { type WorkloadType, workloadType } from '../workloads/workload-type.ts';

interface Subject {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Grants the rules of a role to subjects. */
interface RoleBinding extends ApiObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
}

/** Bindings within a namespace (semantics/verbs#kinds, semantics/tables#built-in-columns, semantics/access#rbac). Privilege escalation is checked by an admission plugin. */
export function roleBindings(vocabulary: Vocabulary): ResourceDefinition {
  return bindingType(vocabulary, {
    kind: 'RoleBinding',
    plural: 'rolebindings',
    scope: 'Namespaced',
    schema: roleBindingSchema,
  });
}

/** Cluster-wide bindings. */
export function clusterRoleBindings(vocabulary: Vocabulary): ResourceDefinition {
  return bindingType(vocabulary, {
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    scope: 'Cluster',
    schema: clusterRoleBindingSchema,
  });
}

function bindingType(
  vocabulary: Vocabulary,
  type: Pick<WorkloadType, 'kind' | 'plural' | 'scope' | 'schema'>,
): ResourceDefinition {
  const group = groupName(vocabulary, 'rbac.authorization.');
  const validate = (binding: RoleBinding): readonly FieldError[] =>
    bindingErrors(binding, group, type.scope === 'Namespaced');
  return workloadType({
    ...type,
    group,
    rules: {
      [`api.rbac.v1.${type.kind}`]: (binding) => withRoleGroup(binding, group),
      'api.rbac.v1.Subject': (subject) => withSubjectGroup(subject, group),
    },
    columns,
    strategy: {
      allowsCreateOnUpdate: true,
      validateName: (name) => validatePathSegment(name, false),
      validate,
      // the new form counts twice
      updateChecks: ['metadata', 'object', 'metadata', 'object', 'metadata-change'],
      validateUpdate: ({ roleRef }: RoleBinding, stored: RoleBinding) =>
        jsonEqual(roleRef, stored.roleRef)
          ? []
          : [FieldErrors.invalid('roleRef', printedRole(roleRef), 'cannot change roleRef')],
    },
  });
}

/** A role as errors print it. */
function printedRole({
  apiGroup = '',
  kind = '',
  name = '',
}: NonNullable<RoleBinding['roleRef']> = {}): PrintedValue {
  return new PrintedValue(
    `rbac.RoleRef{APIGroup:${goQuote(apiGroup)}, Kind:${goQuote(kind)}, Name:${goQuote(name)}}`,
  );
}

const subjectsText =
  (subjectKind: string, text: (subject: Subject) => string) =>
  ({ subjects = [] }: RoleBinding): string =>
    subjects
      .filter(({ kind }) => kind === subjectKind)
      .map(text)
      .join(', ');

const nameOf = ({ name = '' }: Subject): string => name;

const columns: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Role',
    'The role that it gives.',
    ({ roleRef = {} }: RoleBinding) => `${roleRef.kind}/${roleRef.name}`,
  ),
  ageColumn,
  wide(column('Users', 'Users who have it.', subjectsText('User', nameOf))),
  wide(column('Groups', 'Groups who have it.', subjectsText('Group', nameOf))),
  wide(
    column(
      'ServiceAccounts',
      'Service accounts who have it.',
      subjectsText('ServiceAccount', ({ namespace = '', name = '' }) => `${namespace}/${name}`),
    ),
  ),
];

function withRoleGroup(binding: JsonObject, apiGroup: string): JsonObject {
  const roleRef = (binding.roleRef ?? {}) as JsonObject;
  return roleRef.apiGroup ? binding : { ...binding, roleRef: { ...roleRef, apiGroup } };
}

function withSubjectGroup(subject: JsonObject, apiGroup: string): JsonObject {
  const isNamed = subject.kind === 'User' || subject.kind === 'Group';
  if (subject.apiGroup || !isNamed) return subject;
  // a binding may have tens of thousands
  return subject.apiGroup === undefined ? { apiGroup, ...subject } : { ...subject, apiGroup };
}

function bindingErrors(
  { roleRef = {}, subjects }: RoleBinding,
  group: string,
  namespaced: boolean,
): readonly FieldError[] {
  const { apiGroup = '', kind = '', name } = roleRef;
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...choiceErrors('roleRef.apiGroup', apiGroup, [group]),
    ...choiceErrors('roleRef.kind', kind, kinds),
    ...named('roleRef.name', name, pathSegmentErrors),
    ...each('subjects', subjects, (subject, path) => subjectErrors(subject, path, group, namespaced)),
  ];
}

function subjectErrors(
  { kind = '', apiGroup = '', name = '', namespace = '' }: Subject,
  path: string,
  group: string,
  namespaced: boolean,
): readonly FieldError[] {
  // a binding may have tens of thousands, of which most are right
  if (name !== '' && apiGroup === group && (kind === 'User' || kind === 'Group')) return NO_ERRORS;
  const missing = name === '' ? [FieldErrors.required(`${path}.name`)] : [];
  const expectedGroup = kind === 'ServiceAccount' ? '' : group;
  const wrongGroup = choiceErrors(`${path}.apiGroup`, apiGroup, [expectedGroup]);
  if (kind === 'User' || kind === 'Group') return [...missing, ...wrongGroup];
  if (kind !== 'ServiceAccount')
    return [...missing, FieldErrors.notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  return [
    ...missing,
    ...(name === '' ? [] : follows(`${path}.name`, name, dns1123SubdomainErrors)),
    ...wrongGroup,
    ...(namespaced || namespace !== '' ? [] : [FieldErrors.required(`${path}.namespace`)]),
  ];
}
