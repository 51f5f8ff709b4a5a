import { type FieldError, FieldErrors, goStringList, PrintedValue, type Steps } from '@ashlar/core';
import { ListRule } from '../workloads/list-rule.ts';

/** The rules of a role. */
export interface PolicyRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Errors of the rules of a role (semantics/access#rbac). */
export function policyRuleErrors(
  rules: readonly PolicyRule[] | null | undefined,
  namespaced: boolean,
): readonly FieldError[] {
  return (namespaced ? rulesOfRoles : rulesOfClusterRoles).errors('rules', rules);
}

/** Validates many rules with pauses: `policyRuleErrors` then knows their errors. */
export function policyRulesAheadSteps(
  rules: readonly PolicyRule[] | null | undefined,
  namespaced: boolean,
): Steps<void> {
  return (namespaced ? rulesOfRoles : rulesOfClusterRoles).aheadSteps(rules);
}

const rulesOf = (namespaced: boolean): ListRule<PolicyRule> =>
  new ListRule((rule, path) => [
    ...(rule.verbs?.length
      ? []
      : [FieldErrors.required(`${path}.verbs`, 'verbs must contain at least one value')]),
    ...(rule.nonResourceURLs?.length ? urlErrors(rule, path, namespaced) : resourceErrors(rule, path)),
  ]);
const rulesOfRoles = rulesOf(true);
const rulesOfClusterRoles = rulesOf(false);

function urlErrors(rule: PolicyRule, path: string, namespaced: boolean): readonly FieldError[] {
  const { apiGroups, resources, resourceNames, nonResourceURLs: urls } = rule;
  const at = `${path}.nonResourceURLs`;
  const mixed = [apiGroups, resources, resourceNames].some((part) => part?.length);
  if (!namespaced && !mixed) return [];
  const list = new PrintedValue(goStringList(urls ?? undefined));
  return [
    ...(namespaced
      ? [FieldErrors.invalid(at, list, 'namespaced rules cannot apply to non-resource URLs')]
      : []),
    ...(mixed
      ? [FieldErrors.invalid(at, list, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

function resourceErrors({ apiGroups, resources }: PolicyRule, path: string): readonly FieldError[] {
  return [
    ...(apiGroups?.length
      ? []
      : [FieldErrors.required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(resources?.length
      ? []
      : [FieldErrors.required(`${path}.resources`, 'resource rules must supply at least one resource')]),
  ];
}
