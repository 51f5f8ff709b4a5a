import type { AuthorizationAttributes } from '@ashlar/core';
import { bindingText } from './binding-text.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';
import { policyRuleText } from './policy-rule-text.ts';
import type { RbacPolicy } from './rbac-policy.ts';

/** A rule of a user, and whether it covers a request. */
export interface ExplainedRule {
  /** `RoleBinding "b/ns" of Role "r" to User "u"`. */
  readonly heldBy: string;
  /** `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}`. */
  readonly rule: string;
  /** Attributes of the request that it does not cover; empty for the rule that allows. */
  readonly misses: readonly ('verb' | 'apiGroup' | 'resource' | 'resourceName' | 'nonResourceURL')[];
}

/** Why RBAC allows a request, or does not. */
export interface RbacExplanation {
  readonly allowed: boolean;
  /** The rule that allows. */
  readonly by?: ExplainedRule;
  /** The user's rules that do not allow the request, closest first. */
  readonly others: readonly ExplainedRule[];
  /** Bindings of the user whose roles do not exist. */
  readonly errors: readonly string[];
}

/**
 * Which rule allows a request, or what each of the user's rules lacks for it. Traverses all rules of a user:
 * for people, not for every request.
 * @example
 * const { allowed, by, others } = explainRbac(policy, attributes);
 * console.log(allowed ? by?.heldBy : others.map(({ rule, misses }) => `${rule} misses ${misses}`));
 */
export function explainRbac(policy: RbacPolicy, attributes: AuthorizationAttributes): RbacExplanation {
  const others: ExplainedRule[] = [];
  const errors: string[] = [];
  let by: ExplainedRule | undefined;
  const { user, isResourceRequest, namespace } = attributes;
  policy.visit(user, isResourceRequest ? namespace : '', {
    rule({ rule, binding, subject }) {
      const misses = ruleAllows(rule, attributes) ? [] : missesOf(rule, attributes);
      const explained = { heldBy: bindingText(binding, subject), rule: policyRuleText(rule), misses };
      if (misses.length === 0) by = explained;
      else others.push(explained);
      return misses.length === 0;
    },
    error: (error) => void errors.push(error.message),
  });
  others.sort((a, b) => a.misses.length - b.misses.length);
  return { allowed: by !== undefined, ...(by && { by }), others, errors };
}

/** Each part of a rule is tested with all others matching everything. */
function missesOf(rule: PolicyRule, attributes: AuthorizationAttributes): ExplainedRule['misses'] {
  const misses = (part: Partial<PolicyRule>): boolean => !ruleAllows({ ...OPEN, ...part }, attributes);
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const verb = misses({ verbs }) ? (['verb'] as const) : [];
  if (!attributes.isResourceRequest)
    return [...verb, ...(misses({ nonResourceURLs }) ? (['nonResourceURL'] as const) : [])];
  return [
    ...verb,
    ...(misses({ apiGroups }) ? (['apiGroup'] as const) : []),
    ...(misses({ resources }) ? (['resource'] as const) : []),
    ...(misses({ resourceNames }) ? (['resourceName'] as const) : []),
  ];
}

const OPEN: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], nonResourceURLs: ['*'] };
