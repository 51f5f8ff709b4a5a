import {
  type JsonValue,
  type Schema,
  type Steps,
  trimSpace,
  utf8Length,
  type ValidationRule,
} from '@ashlar/core';
import { UNPAID_SHARE, workSpent } from '../cost/work.ts';
import type { Bindings } from '../plan/frame.ts';
import type { Evaluation } from '../plan/program.ts';
import type { CompiledExpression, CompiledRule, RuleBindings } from './rule.ts';
import { ruleBindings } from './rule.ts';

/** Limits of the evaluation of rules (semantics/schemas#costs). */
export const ruleLimits = {
  /** Cost units of one evaluation. */
  perCall: 1_000_000,
  /** Cost units of all rules over one object. */
  perObject: 10_000_000,
  /** Cost units of the match conditions over one object. */
  perMatchConditions: 2_500_000,
  /** Maximum estimated cost of a rule. */
  estimatePerRule: 10_000_000n,
  /** Maximum estimated cost of all rules of a schema. */
  estimatePerDefinition: 100_000_000n,
  /** Maximum size of a message expression's result in bytes. */
  messageBytes: 5120,
} as const;

/** Cost units left for one object. */
export interface RuleBudget {
  /** Negative once it is exhausted; then no more rules are run. */
  remaining: number;
  /** Cost units of one evaluation, {@link ruleLimits} by default. */
  readonly perCall?: number;
  /** Work that no cost is for, in cost units, which rules have done so far. */
  unpaid?: number;
}

/** Result of a rule that failed. */
export interface RuleFailure {
  readonly rule: ValidationRule;
  /** The rule's message, or why it could not be evaluated. */
  readonly detail: string;
  /** Whether the rule evaluated to false; otherwise it had an error or the budget is exhausted. */
  readonly violated: boolean;
  /** Whether the rule evaluated to false, but its message exceeded the budget. */
  readonly messageStopped: boolean;
  /** Whether it is a transition rule. */
  readonly isTransition: boolean;
}

/** Values that the rules of one node are evaluated on. */
export interface RuleInput {
  readonly schema: Schema;
  readonly isResourceRoot: boolean;
  readonly self: JsonValue;
  /** Undefined if there is no comparable old value. */
  readonly oldSelf?: JsonValue | undefined;
  /** Values of variables in addition to `self` and `oldSelf`. */
  readonly variables?: Bindings;
  readonly signal?: AbortSignal;
}

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * Runs the rules of one place (semantics/schemas#rules) and charges the budget. A failing rule does not stop
 * the others; an exhausted budget does.
 */
export function evaluateRules(
  rules: readonly CompiledRule[],
  input: RuleInput,
  budget: RuleBudget,
): readonly RuleFailure[] {
  if (rules.length === 0) return NO_FAILURES;
  const place = new RulesOfPlace(rules, input, budget);
  while (place.next());
  return place.failures;
}

/** Work after which rules pause, in cost units: a few milliseconds. A single evaluation does not pause. */
const UNITS_OF_STEP = 50_000;

/** As {@link evaluateRules}, with pauses between expensive rules. */
export function* evaluateRulesSteps(
  rules: readonly CompiledRule[],
  input: RuleInput,
  budget: RuleBudget,
): Steps<readonly RuleFailure[]> {
  if (rules.length === 0) return NO_FAILURES;
  const place = new RulesOfPlace(rules, input, budget);
  for (let before = workSpent(); place.next(); ) {
    if (workSpent() - before < UNITS_OF_STEP) continue;
    before = workSpent();
    yield;
  }
  return place.failures;
}

/** The rules of one place, run one after the other. */
class RulesOfPlace {
  readonly #rules: readonly CompiledRule[];
  readonly #input: RuleInput;
  readonly #budget: RuleBudget;
  readonly #bindings: RuleBindings | undefined;
  #nextRule = 0;
  #failures: RuleFailure[] | undefined;

  constructor(rules: readonly CompiledRule[], input: RuleInput, budget: RuleBudget) {
    this.#rules = rules;
    this.#input = input;
    this.#budget = budget;
    const { schema, isResourceRoot, self, oldSelf, variables } = input;
    if (budget.remaining > 0) this.#bindings = ruleBindings(schema, isResourceRoot, self, oldSelf, variables);
  }

  get failures(): readonly RuleFailure[] {
    return this.#failures ?? NO_FAILURES;
  }

  /** Runs the next rule; returns whether there may be another. */
  next(): boolean {
    const rule = this.#rules[this.#nextRule++] as CompiledRule;
    const failure = this.#bindings ? this.#evaluate(rule, this.#bindings) : this.#refuse(rule);
    if (failure) {
      this.#failures ??= [];
      this.#failures.push(failure);
    }
    return this.#budget.remaining >= 0 && this.#nextRule < this.#rules.length;
  }

  #evaluate(rule: CompiledRule, bindings: RuleBindings): RuleFailure | undefined {
    const budget = this.#budget;
    const { remaining } = budget;
    const before = workSpent();
    const failure = evaluateRule(rule, bindings, this.#input, budget);
    const paid = remaining - Math.max(0, budget.remaining);
    budget.unpaid = (budget.unpaid ?? 0) + Math.max(0, workSpent() - before - paid);
    return budget.unpaid > UNPAID_SHARE * ruleLimits.perObject ? this.#refuse(rule) : failure;
  }

  #refuse(rule: CompiledRule): RuleFailure {
    this.#budget.remaining = -1;
    return { ...failureOf(rule, OUT_OF_BUDGET, false), isTransition: false };
  }
}

const NO_FAILURES: readonly RuleFailure[] = [];

function evaluateRule(
  compiled: CompiledRule,
  bindings: RuleBindings,
  input: RuleInput,
  budget: RuleBudget,
): RuleFailure | undefined {
  const { rule, condition, usesOldSelf } = compiled;
  if (!condition) return undefined;
  if (!condition.ok) return failureOf(compiled, `rule compile error: ${condition.error}`, false);
  const hasOld = input.oldSelf !== undefined && input.oldSelf !== null;
  if (usesOldSelf && !hasOld && !rule.optionalOldSelf) return undefined;
  const evaluation = run(condition, rule.optionalOldSelf ? bindings.optional : bindings.plain, input, budget);
  if (!spend(evaluation, budget)) return failureOf(compiled, OUT_OF_BUDGET, false);
  if (!evaluation.ok) return failureOf(compiled, errorDetail(evaluation, rule, budget), false);
  if (evaluation.value === true) return undefined;
  const message = ruleMessage(compiled, bindings, input, budget);
  return failureOf(compiled, message.text, !message.stopped, message.stopped);
}

const failureOf = (
  { rule, usesOldSelf }: CompiledRule,
  detail: string,
  violated: boolean,
  messageStopped = false,
): RuleFailure => ({ rule, detail, violated, messageStopped, isTransition: usesOldSelf });

function run(
  expression: CompiledExpression & { ok: true },
  bindings: Bindings,
  { signal }: RuleInput,
  budget: RuleBudget,
): Evaluation {
  const costLimit = budget.perCall ?? ruleLimits.perCall;
  return expression.program.evaluate(bindings, { costLimit, ...(signal && { signal }) });
}

/** Subtracts the cost of an evaluation from the budget; returns false if it is exceeded. */
function spend(evaluation: Evaluation, budget: RuleBudget): boolean {
  if (evaluation.cost > budget.remaining) {
    budget.remaining = -1;
    return false;
  }
  budget.remaining -= evaluation.cost;
  return true;
}

/** Returns the name of a rule in errors: its message, else its text. */
const ruleName = ({ rule, message }: ValidationRule): string =>
  message ? trimSpace(message) : trimSpace(rule);

function errorDetail(
  evaluation: Evaluation & { ok: false },
  rule: ValidationRule,
  budget: RuleBudget,
): string {
  const { message } = evaluation.error;
  if (evaluation.interrupted) {
    budget.remaining = -1;
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleName(rule)}`;
  }
  if (message.startsWith('no such overload')) {
    const hint = 'call arguments did not match a supported operator, function or macro signature for rule';
    return `'${message}': ${hint}: ${ruleName(rule)}`;
  }
  return `${message} evaluating rule: ${ruleName(rule)}`;
}

function ruleMessage(
  { rule, message }: CompiledRule,
  bindings: RuleBindings,
  input: RuleInput,
  budget: RuleBudget,
): { text: string; stopped: boolean } {
  const fallback = rule.message ? trimSpace(rule.message) : `failed rule: ${trimSpace(rule.rule)}`;
  if (!message?.ok) return { text: fallback, stopped: false };
  // Messages see the plain old value, even those of rules that see it as an optional: such messages fail and
  // the fallback is used.
  const evaluation = run(message, bindings.plain, input, budget);
  const stop = (text: string): { text: string; stopped: boolean } => {
    budget.remaining = -1;
    return { text, stopped: true };
  };
  if (!spend(evaluation, budget)) {
    return stop(
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    );
  }
  if (evaluation.ok) return { text: usableMessage(evaluation.value) ?? fallback, stopped: false };
  if (!evaluation.interrupted) return { text: fallback, stopped: false };
  const quoted = JSON.stringify(rule.messageExpression);
  return stop(
    `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoted}`,
  );
}

/** The result of a message expression, if it is one line that is neither empty nor too long. */
function usableMessage(value: unknown): string | undefined {
  const text = typeof value === 'string' ? trimSpace(value) : '';
  const tooLong = text.length > ruleLimits.messageBytes || utf8Length(text) > ruleLimits.messageBytes;
  return text === '' || tooLong || text.includes('\n') ? undefined : text;
}
