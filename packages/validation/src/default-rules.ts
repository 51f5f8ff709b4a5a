import { compileRuleTree, type Environment, type RuleBudget, ruleLimits, schemaType } from '@ashlar/cel';
import { type FieldError, FieldErrors, type JsonValue, type Schema } from '@ashlar/core';
import { hasRules } from './has-rules.ts';
import { ObjectRules } from './object-rules.ts';

/** Runs rules over the defaults of a schema (semantics/schemas#structural-rules): all defaults share one budget. */
export class DefaultRules {
  readonly #environment: Environment;
  readonly #budget: RuleBudget = { remaining: ruleLimits.perObject };

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Returns the errors of a default, first as an unchanged value and then as a new one. */
  errors(value: JsonValue, schema: Schema, isResourceRoot: boolean, path: string): readonly FieldError[] {
    if (this.#budget.remaining < 0 || !hasRules(schema)) return [];
    const own = schema.validations?.length ? schemaType(schema, { isResourceRoot }) : undefined;
    if (schema.validations?.length && !own) {
      const text =
        'rule compiler initialization error: failed to convert to declType for CEL validation rules';
      return [FieldErrors.invalid(path, schema.type ?? '', text)];
    }
    const tree = compileRuleTree(schema, isResourceRoot, this.#environment);
    if (!tree) return [];
    const rules = new ObjectRules(tree, schema);
    const before = this.#budget.remaining;
    const staying = rules.validate(value, value, { path, budget: this.#budget });
    if (staying.length > 0) return staying;
    const budget = { remaining: before };
    const withoutOldSelf = rules.validate(value, undefined, { path, budget });
    this.#budget.remaining = Math.min(this.#budget.remaining, budget.remaining);
    return withoutOldSelf;
  }
}
