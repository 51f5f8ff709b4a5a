import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  groupName,
  type LabelSelectorObject,
  type Steps,
  type Vocabulary,
  validateLabelSelector,
  validatePathSegment,
} from '@ashlar/core';
import type { ResourceDefinition, UpdateCheck } from '@ashlar/registry';
import { isIn, malformedSelectorValues } from '../workloads/inherited/inherited-selectors.ts';
import { ListRule } from '../workloads/list-rule.ts';
import { clusterRoleSchema, roleSchema } from '../workloads/shapes/rbac/roles.ts';
import { workloadType } from '../workloads/workload-type.ts';
import { type PolicyRule, policyRuleErrors, policyRulesAheadSteps } from './policy-rules.ts';

/** Permissions. */
interface Role extends ApiObject {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelectorObject[] };
}

/** Roles of a namespace (semantics/verbs#kinds, semantics/access#rbac). Privilege escalation is checked by an admission plugin. */
export function roles(vocabulary: Vocabulary): ResourceDefinition {
  function* validateSteps({ rules }: Role): Steps<readonly FieldError[]> {
    yield* policyRulesAheadSteps(rules, true);
    return policyRuleErrors(rules, true);
  }
  return workloadType({
    group: groupName(vocabulary, 'rbac.authorization.'),
    kind: 'Role',
    plural: 'roles',
    scope: 'Namespaced',
    schema: roleSchema,
    strategy: {
      updateChecks: ROLE_CHECKS,
      allowsCreateOnUpdate: true,
      validateName: (name) => validatePathSegment(name, false),
      prepareForCreate: withoutEmptyRules,
      prepareForUpdate: withoutEmptyRules,
      validateSteps,
    },
  });
}

/** Cluster-wide roles. */
export function clusterRoles(vocabulary: Vocabulary): ResourceDefinition {
  function* validateSteps(role: Role): Steps<readonly FieldError[]> {
    yield* policyRulesAheadSteps(role.rules, false);
    yield* aggregatedSelectors.aheadSteps(role.aggregationRule?.clusterRoleSelectors);
    return [...policyRuleErrors(role.rules, false), ...aggregationErrors(role)];
  }
  return workloadType({
    group: groupName(vocabulary, 'rbac.authorization.'),
    kind: 'ClusterRole',
    plural: 'clusterroles',
    scope: 'Cluster',
    schema: clusterRoleSchema,
    inherits: [malformedSelectorValues(isIn('aggregationRule.clusterRoleSelectors'))],
    strategy: {
      updateChecks: ROLE_CHECKS,
      allowsCreateOnUpdate: true,
      validateName: (name) => validatePathSegment(name, false),
      prepareForCreate: withoutEmptyRules,
      prepareForUpdate: withoutEmptyRules,
      validateSteps,
    },
  });
}

/** The new form counts twice. */
const ROLE_CHECKS: readonly UpdateCheck[] = ['metadata', 'object', 'metadata', 'object', 'metadata-change'];

/** An empty list of rules is stored as null; the writer of an empty list owns it anyway. */
function withoutEmptyRules(role: Role): Role {
  return Array.isArray(role.rules) && role.rules.length === 0 ? { ...role, rules: null } : role;
}

function aggregationErrors({ aggregationRule }: Role): readonly FieldError[] {
  if (!aggregationRule) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const { clusterRoleSelectors = [] } = aggregationRule;
  const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return clusterRoleSelectors.length === 0
    ? [FieldErrors.required(path, why)]
    : aggregatedSelectors.errors(path, clusterRoleSelectors);
}

const aggregatedSelectors: ListRule<LabelSelectorObject> = new ListRule((selector, path) =>
  selectorErrors(selector, path),
);

/** The errors of a selector, and one more that it is invalid. */
function selectorErrors(selector: LabelSelectorObject, path: string): readonly FieldError[] {
  const errors = validateLabelSelector(selector, path);
  if (errors.length === 0) return errors;
  return [...errors, FieldErrors.invalid(path, null, 'invalid label selector.')];
}
