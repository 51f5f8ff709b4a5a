import {
  type GroupResource,
  goQuote,
  joinedMessages,
  runAtOnce,
  StatusError,
  type Steps,
  type UserInfo,
} from '@ashlar/core';
import { ComparisonBudget } from './comparison-budget.ts';
import type { PolicyRule } from './policy-rule.ts';
import { policyRuleText, quotedList } from './policy-rule-text.ts';
import type { RbacPolicy } from './rbac-policy.ts';
import { compactRules, uncoveredSteps } from './rule-coverage.ts';

/** A write that grants rules. */
export interface RulesGrant {
  readonly user: UserInfo;
  /** Where the rules are granted; empty for the cluster. */
  readonly namespace: string;
  /** What is written: errors of missing roles name it. By default they name roles. */
  readonly resource?: GroupResource;
}

/**
 * Returns why a user may not grant rules: they do not have them in that namespace, or in the cluster if it is
 * empty. Undefined if they may (semantics/access#rbac).
 */
export function escalationError(
  policy: RbacPolicy,
  grant: RulesGrant,
  rules: readonly PolicyRule[],
): string | undefined {
  return runAtOnce(escalationSteps(policy, grant, rules));
}

/** The same in steps, for rules that users write. More of them than can be compared are not granted. */
export function* escalationSteps(
  policy: RbacPolicy,
  { user, namespace, resource }: RulesGrant,
  rules: readonly PolicyRule[],
): Steps<string | undefined> {
  const held = policy.heldBy(user, namespace);
  const budget = new ComparisonBudget();
  const missing = yield* uncoveredSteps(held.roles, rules, budget);
  const who = `user ${goQuote(user.name)} (groups=${quotedList(user.groups)})`;
  if (budget.isSpent)
    return `${who} is attempting to grant more RBAC permissions than can be compared with those currently held`;
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compactRules(missing).map(policyRuleText))].sort();
  const errors = resource ? held.errors.map((error) => withResource(error, resource)) : held.errors;
  const unsolved = errors.length === 0 ? '' : `; resolution errors: [${joinedMessages(errors)}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unsolved}`;
}

const withResource = (error: Error, resource: GroupResource): Error =>
  StatusError.is(error, 'NotFound') ? StatusError.notFound(resource, error.details?.name ?? '') : error;
