import { runAtOnce, type Steps } from '../contracts/steps.ts';
import { parseInt64 } from '../values/integer-text.ts';
import { compileLabelRequirement, type LabelMatcher, type LabelRequirement } from './label-requirement.ts';

/** Up to this many requirements are evaluated one by one; more are looked up by the labels of the object. */
const FEW = 16;

/** Requirements and values that are compiled between two pauses. */
const STRIDE = 1024;

/** Whether labels meet all requirements. The cost does not grow with the number of requirements. */
export function compileLabelRequirements(requirements: readonly LabelRequirement[]): LabelMatcher {
  if (requirements.length > FEW) return runAtOnce(compileManyRequirementsSteps(requirements));
  const matchers = requirements.map(compileLabelRequirement);
  if (matchers.length === 1) return matchers[0] as LabelMatcher;
  return (labels) => {
    for (const matches of matchers) if (!matches(labels)) return false;
    return true;
  };
}

/** As {@link compileLabelRequirements}, with pauses, of many requirements or those of many values. */
export function* compileManyRequirementsSteps(
  requirements: readonly LabelRequirement[],
): Steps<LabelMatcher> {
  const conditions = new Map<string, LabelCondition>();
  let required = 0;
  for (const [index, requirement] of requirements.entries()) {
    const condition = conditions.get(requirement.key) ?? new LabelCondition();
    conditions.set(requirement.key, condition);
    const wasRequired = condition.isRequired;
    if (requirement.values.length <= STRIDE) condition.add(requirement);
    else yield* condition.addSteps(requirement);
    if (condition.isRequired && !wasRequired) required++;
    if (index % STRIDE === STRIDE - 1) yield;
  }
  return (labels) => {
    let found = 0;
    for (const key of Object.keys(labels)) {
      const condition = conditions.get(key);
      if (!condition) continue;
      if (!condition.holds(labels[key] as string)) return false;
      if (condition.isRequired) found++;
    }
    return found === required;
  };
}

/** All requirements of one label. */
class LabelCondition {
  isRequired = false;
  #isForbidden = false;
  /** Of tens of thousands of labels, most may have one value: it needs no set. */
  #allowed: ReadonlySet<string> | string | undefined;
  /** Made when they are needed: a selector may have ten thousand conditions. */
  #refused: Set<string> | string | undefined;
  #comparisons: Map<'gt' | 'lt', LabelComparison> | undefined;

  add({ operator, values }: LabelRequirement): void {
    if (operator === '!') this.#isForbidden = true;
    else if (operator === '!=' || operator === 'notin') this.#refuse(values);
    else {
      this.isRequired = true;
      if (operator === 'gt' || operator === 'lt') this.#compare(operator, values[0] ?? '');
      else if (operator !== 'exists') this.#allow(values);
    }
  }

  /** Adds a requirement of many values. */
  *addSteps({ key, operator, values }: LabelRequirement): Steps<void> {
    if (operator !== 'in' && operator !== 'notin') {
      this.add({ key, operator, values });
      return;
    }
    const kept = new Set<string>();
    for (const [index, value] of values.entries()) {
      if (operator === 'notin') this.#refuse([value]);
      else if (this.#isAllowed(value)) kept.add(value);
      if (index % STRIDE === STRIDE - 1) yield;
    }
    if (operator === 'notin') return;
    this.isRequired = true;
    this.#allowed = kept;
  }

  #refuse(values: readonly string[]): void {
    const [only = ''] = values;
    if (this.#refused === undefined && values.length === 1) this.#refused = only;
    else {
      if (!(this.#refused instanceof Set))
        this.#refused = new Set(this.#refused === undefined ? [] : [this.#refused]);
      for (const value of values) this.#refused.add(value);
    }
  }

  #allow(values: readonly string[]): void {
    const [only = ''] = values;
    if (this.#allowed === undefined) this.#allowed = values.length === 1 ? only : new Set(values);
    else this.#allowed = new Set(values.filter((value) => this.#isAllowed(value)));
  }

  #isAllowed(value: string): boolean {
    const allowed = this.#allowed;
    return allowed === undefined || (typeof allowed === 'string' ? allowed === value : allowed.has(value));
  }

  #isRefused(value: string): boolean {
    const refused = this.#refused;
    return refused instanceof Set ? refused.has(value) : refused === value;
  }

  #compare(operator: 'gt' | 'lt', text: string): void {
    this.#comparisons ??= new Map();
    const comparison = this.#comparisons.get(operator) ?? new LabelComparison(operator);
    this.#comparisons.set(operator, comparison);
    comparison.add(text);
  }

  /** Whether a present label may have a value. */
  holds(value: string): boolean {
    if (this.#isForbidden || this.#isRefused(value)) return false;
    if (!this.#isAllowed(value)) return false;
    if (!this.#comparisons) return true;
    for (const comparison of this.#comparisons.values()) if (!comparison.holds(value)) return false;
    return true;
  }
}

/** All bounds of one side: the tightest counts, and a value that is not an integer never matches. */
class LabelComparison {
  readonly #operator: 'gt' | 'lt';
  #bound: bigint | undefined;
  #isMet = true;

  constructor(operator: 'gt' | 'lt') {
    this.#operator = operator;
  }

  add(text: string): void {
    const bound = parseInt64(text);
    if (bound === undefined) this.#isMet = false;
    else if (this.#bound === undefined || this.#passes(bound, this.#bound)) this.#bound = bound;
  }

  holds(text: string): boolean {
    const value = this.#isMet ? parseInt64(text) : undefined;
    return value !== undefined && this.#bound !== undefined && this.#passes(value, this.#bound);
  }

  #passes(value: bigint, bound: bigint): boolean {
    return this.#operator === 'gt' ? value > bound : value < bound;
  }
}
