import {
  type AuthorizationRules,
  joinedMessages,
  type NonResourceRule,
  type ResourceRule,
  type UserInfo,
} from '@ashlar/core';
import type { PolicyRule } from './policy-rule.ts';
import type { RbacPolicy } from './rbac-policy.ts';

/** The most characters that are listed. A role may be bound thousands of times. */
const MOST_CHARACTERS = 1024 * 1024;

/** The rules of a user in a namespace, for a rules review; incomplete if they are too long (semantics/access#access-reviews). */
export function listRules(policy: RbacPolicy, user: UserInfo, namespace: string): AuthorizationRules {
  const rules = new RuleList();
  const errors: Error[] = [];
  policy.visit(user, namespace, {
    rule: ({ rule }) => !rules.add(rule),
    error: (error) => void errors.push(error),
  });
  if (rules.isFull) errors.push(new Error(`only rules of up to ${MOST_CHARACTERS} bytes are listed`));
  return {
    resourceRules: rules.resourceRules,
    nonResourceRules: rules.nonResourceRules,
    // missing roles grant nothing: the list is complete without them
    incomplete: rules.isFull,
    errors: errors.length > 0 ? [joinedMessages(errors)] : [],
  };
}

class RuleList {
  readonly resourceRules: ResourceRule[] = [];
  readonly nonResourceRules: NonResourceRule[] = [];
  #characters = 0;

  get isFull(): boolean {
    return this.#characters > MOST_CHARACTERS;
  }

  /** @returns whether there was room for the rule */
  add(rule: PolicyRule): boolean {
    this.#characters += charactersOf(rule);
    if (this.isFull) return false;
    const verbs = rule.verbs ?? [];
    if (rule.resources?.length) {
      const resourceRule = { verbs, ...part(rule, 'apiGroups'), ...part(rule, 'resources') };
      this.resourceRules.push({ ...resourceRule, ...part(rule, 'resourceNames') });
    }
    if (rule.nonResourceURLs?.length) this.nonResourceRules.push({ verbs, ...part(rule, 'nonResourceURLs') });
    return true;
  }
}

function part(
  rule: PolicyRule,
  name: 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs',
): Partial<Record<typeof name, readonly string[]>> {
  const list = rule[name];
  return list?.length ? { [name]: list } : {};
}

/** Characters of a rule as JSON, nearly. */
function charactersOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  let characters = RULE;
  for (const texts of [verbs, apiGroups, resources, resourceNames, nonResourceURLs])
    for (const text of texts ?? []) characters += text.length + TEXT;
  return characters;
}

/** Braces and names of members. */
const RULE = 48;
/** Quotes and a comma. */
const TEXT = 3;
