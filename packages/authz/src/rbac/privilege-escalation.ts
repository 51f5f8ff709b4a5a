import { goQuote, joinedMessages, type UserInfo } from '@ashlar/core';
import type { PolicyRule } from './policy-rule.ts';
import { policyRuleText, quotedList } from './policy-rule-text.ts';
import type { RbacPolicy } from './rbac-policy.ts';
import { compactRules, uncoveredRules } from './rule-coverage.ts';

/**
 * Returns why a user may not grant rules: they do not have them in that namespace, or in the cluster if it is
 * empty. Undefined if they may (semantics/access#rbac).
 */
export function escalationError(
  policy: RbacPolicy,
  user: UserInfo,
  namespace: string,
  rules: readonly PolicyRule[],
): string | undefined {
  const ownRules = policy.rulesFor(user, namespace);
  const missing = uncoveredRules(ownRules.rules, rules);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compactRules(missing).map(policyRuleText))].sort();
  const who = `user ${goQuote(user.name)} (groups=${quotedList(user.groups)})`;
  const unsolved =
    ownRules.errors.length === 0 ? '' : `; resolution errors: [${joinedMessages(ownRules.errors)}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unsolved}`;
}
