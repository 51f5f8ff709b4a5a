import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  joinedMessages,
  type Steps,
} from '@ashlar/core';
import { bindingText } from './binding-text.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';
import type { RbacPolicy, RuleVisitor, UserRule } from './rbac-policy.ts';

const NO_OPINION: AuthorizationDecision = { decision: 'no-opinion' };
/** Rules and names that are looked at without a pause. */
const AT_ONCE = 20_000;
/** What an error costs, compared with a rule. */
const ERROR = 64;

/** Looks for a rule that allows a request. A role that is bound several times is looked at once. */
class RuleSearch implements RuleVisitor {
  readonly #attributes: AuthorizationAttributes;
  readonly #errors: Error[] = [];
  readonly #roles: Set<readonly PolicyRule[]> | undefined;
  readonly #limit: number;
  #looked = 0;
  #found: UserRule | undefined;

  constructor(attributes: AuthorizationAttributes, isLong: boolean) {
    this.#attributes = attributes;
    this.#roles = isLong ? new Set() : undefined;
    this.#limit = isLong ? Number.POSITIVE_INFINITY : AT_ONCE;
  }

  /** Whether it ended before all rules were looked at. */
  get isIncomplete(): boolean {
    return this.#looked > this.#limit;
  }

  role(rules: readonly PolicyRule[]): boolean {
    if (!this.#roles) return true;
    const isNew = !this.#roles.has(rules);
    this.#roles.add(rules);
    return isNew;
  }

  rule(userRule: UserRule): boolean {
    this.#looked += 1 + (userRule.rule.resourceNames?.length ?? 0);
    if (this.#looked > this.#limit) return true;
    if (!ruleAllows(userRule.rule, this.#attributes)) return false;
    this.#found = userRule;
    return true;
  }

  error(error: Error): boolean {
    this.#errors.push(error);
    this.#looked += ERROR;
    return this.#looked > this.#limit;
  }

  decision(): AuthorizationDecision {
    if (this.#found) {
      const { binding, subject } = this.#found;
      return { decision: 'allow', reason: `RBAC: allowed by ${bindingText(binding, subject)}` };
    }
    return this.#errors.length === 0
      ? NO_OPINION
      : { decision: 'no-opinion', reason: `RBAC: ${joinedMessages(this.#errors)}` };
  }
}

/** Decides at once; undefined if the user has so many rules that there must be pauses. */
export function decideAtOnce(
  policy: RbacPolicy,
  attributes: AuthorizationAttributes,
): AuthorizationDecision | undefined {
  const search = new RuleSearch(attributes, false);
  policy.visit(attributes.user, scopeOf(attributes), search);
  return search.isIncomplete ? undefined : search.decision();
}

/** Decides with pauses. */
export function* decideInSteps(
  policy: RbacPolicy,
  attributes: AuthorizationAttributes,
): Steps<AuthorizationDecision> {
  const search = new RuleSearch(attributes, true);
  yield* policy.visitSteps(attributes.user, scopeOf(attributes), search);
  return search.decision();
}

const scopeOf = ({ isResourceRequest, namespace }: AuthorizationAttributes): string =>
  isResourceRequest ? namespace : '';
