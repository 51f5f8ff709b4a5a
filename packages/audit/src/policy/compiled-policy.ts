import type { AuditAttributes, AuditDecision } from './audit-decision.ts';
import type { AuditPolicy } from './audit-policy.ts';
import { CompiledRule } from './compiled-rule.ts';

const NOTHING: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };

/**
 * A policy that is ready to decide: the first rule that fits a request does (semantics/requests#audit).
 * @example
 * new CompiledPolicy(policy).decide(attributes).level; // 'Metadata'
 */
export class CompiledPolicy {
  readonly #rules: readonly CompiledRule[];

  constructor(policy: AuditPolicy) {
    this.#rules = policy.rules.map((rule) => new CompiledRule(rule, policy));
  }

  decide(attributes: AuditAttributes): AuditDecision {
    return this.#rules.find((rule) => rule.matches(attributes))?.decision ?? NOTHING;
  }
}
