import {
  evaluateRules,
  evaluateRulesSteps,
  type RuleBudget,
  type RuleFailure,
  type RuleTree,
  ruleLimits,
  workSpent,
} from '@ashlar/cel';
import {
  type FieldError,
  fieldErrorText,
  isJsonObject,
  itemsByKeys,
  type JsonObject,
  type JsonValue,
  MAXIMUM_FIELD_ERRORS,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { Correlation, findLargeValues, isPausePoint, type LargeValues } from '@ashlar/schema';
import { areCheap } from './cheap-rules.ts';
import { ObjectPath } from './object-path.ts';
import { isUnchanged } from './ratchet.ts';
import { ruleError } from './rule-error.ts';

/** The rules of a schema, run over complete objects (semantics/schemas#rules, #costs, #ratcheting). */
export class ObjectRules {
  readonly #tree: RuleTree;
  readonly #schema: Schema;

  constructor(tree: RuleTree, schema: Schema) {
    this.#tree = tree;
    this.#schema = schema;
  }

  /** Returns the errors of an object. Transition rules run where there is an old value; there is no ratcheting. */
  validate(object: JsonValue, old?: JsonValue, within: RulePlace = {}): readonly FieldError[] {
    return new RuleRun(undefined, undefined, within).run(this.#tree, object, old);
  }

  /** Returns errors with ratcheting: rules that an unchanged value breaks become warnings, transition rules excepted. */
  validateUpdate(
    object: JsonValue,
    old: JsonValue,
    warn: ((text: string) => void) | undefined,
  ): readonly FieldError[] {
    const unchanged = (): Correlation => new Correlation(object, old, this.#schema);
    return new RuleRun(unchanged, warn).run(this.#tree, object, old);
  }

  /** `validate` with pauses between the parts of a large object, and between rules that cost much. */
  validateSteps(object: JsonValue, old?: JsonValue): Steps<readonly FieldError[]> {
    return new RuleRun(undefined, undefined).runSteps(this.#tree, object, old);
  }

  /** `validateUpdate` with pauses as {@link validateSteps} makes them. */
  validateUpdateSteps(
    object: JsonValue,
    old: JsonValue,
    warn: ((text: string) => void) | undefined,
  ): Steps<readonly FieldError[]> {
    const unchanged = (): Correlation => new Correlation(object, old, this.#schema);
    return new RuleRun(unchanged, warn).runSteps(this.#tree, object, old);
  }
}

/** Options of rules that do not run over a complete object. */
export interface RulePlace {
  /** The path to the value. */
  readonly path?: string;
  /** Cost budget, consumed by the run. */
  readonly budget?: RuleBudget;
}

const NO_ERRORS: readonly FieldError[] = [];
/** Work after which a run pauses, in cost units: a few milliseconds. */
const UNITS_OF_STEP = 50_000;

/** One run over one object. */
class RuleRun {
  readonly #path: ObjectPath;
  readonly #budget: RuleBudget;
  readonly #correlate: (() => Correlation) | undefined;
  readonly #warn: ((text: string) => void) | undefined;
  #correlation: Correlation | undefined;
  #errors: FieldError[] | undefined;
  #warned = 0;
  /** The work of all evaluations at the last pause. */
  #paused: number = workSpent();

  constructor(
    correlate: (() => Correlation) | undefined,
    warn: ((text: string) => void) | undefined,
    { path = '', budget = { remaining: ruleLimits.perObject } }: RulePlace = {},
  ) {
    this.#path = new ObjectPath(path);
    this.#budget = budget;
    this.#correlate = correlate;
    this.#warn = warn;
  }

  run(tree: RuleTree, object: JsonValue, old: JsonValue | undefined): readonly FieldError[] {
    this.#visit(tree, object, old);
    return this.#errors ?? NO_ERRORS;
  }

  *runSteps(tree: RuleTree, object: JsonValue, old: JsonValue | undefined): Steps<readonly FieldError[]> {
    const large = yield* findLargeValues(object);
    yield* this.#visitPart(tree, object, old, large);
    return this.#errors ?? NO_ERRORS;
  }

  #visit(tree: RuleTree, self: JsonValue | undefined, old: JsonValue | undefined): void {
    // Rules of a place see it only if it is present; its absence is for the rules around it.
    if (self === null || self === undefined || this.#isOver()) return;
    if (tree.rules.length > 0) this.#evaluate(tree, self, old);
    for (const part of tree.parts) {
      this.#path.push(null);
      this.#visit(part, self, old);
      this.#path.pop();
    }
    if (Array.isArray(self)) this.#visitItems(tree, self, old);
    else if (isJsonObject(self)) this.#visitMembers(tree, self, isJsonObject(old) ? old : NOTHING);
  }

  /** Pauses where the value is large, or its rules may cost much. */
  *#visitPart(
    tree: RuleTree,
    self: JsonValue | undefined,
    old: JsonValue | undefined,
    large: LargeValues,
  ): Steps<void> {
    if (self === null || self === undefined) return;
    if (large.has(self) || !areCheap(tree)) yield* this.#visitSteps(tree, self, old, large);
    else this.#visit(tree, self, old);
  }

  *#visitSteps(tree: RuleTree, self: JsonValue, old: JsonValue | undefined, large: LargeValues): Steps<void> {
    if (this.#isOver()) return;
    if (tree.rules.length > 0) yield* this.#evaluateSteps(tree, self, old);
    for (const part of tree.parts) {
      this.#path.push(null);
      yield* this.#visitPart(part, self, old, large);
      this.#path.pop();
    }
    if (Array.isArray(self)) yield* this.#visitItemsSteps(tree, self, old, large);
    else if (isJsonObject(self))
      yield* this.#visitMembersSteps(tree, self, isJsonObject(old) ? old : NOTHING, large);
  }

  /** Whether the check can stop: the budget is exhausted, or the maximum number of errors is reached. */
  #isOver(): boolean {
    return (
      this.#budget.remaining < 0 ||
      (this.#errors !== undefined && this.#errors.length >= MAXIMUM_FIELD_ERRORS)
    );
  }

  /** Whether rules have cost so much since the last pause that it is time for another. */
  #isDue(): boolean {
    if (workSpent() - this.#paused < UNITS_OF_STEP) return false;
    this.#paused = workSpent();
    return true;
  }

  #evaluate(tree: RuleTree, self: JsonValue, oldSelf: JsonValue | undefined): void {
    const { schema, isResourceRoot, rules } = tree;
    this.#report(schema, evaluateRules(rules, { schema, isResourceRoot, self, oldSelf }, this.#budget));
  }

  *#evaluateSteps(tree: RuleTree, self: JsonValue, oldSelf: JsonValue | undefined): Steps<void> {
    const { schema, isResourceRoot, rules } = tree;
    const input = { schema, isResourceRoot, self, oldSelf };
    this.#report(schema, yield* evaluateRulesSteps(rules, input, this.#budget));
    if (this.#isDue()) yield;
  }

  #report(schema: Schema, failures: readonly RuleFailure[]): void {
    for (const failure of failures) {
      const error = ruleError(failure, this.#path.text(), schema);
      const ratchets = (failure.violated || failure.messageStopped) && !failure.isTransition;
      if (ratchets && this.#isUnchanged()) {
        if (this.#warned++ < MAXIMUM_FIELD_ERRORS) this.#warn?.(fieldErrorText(error));
      } else {
        this.#errors ??= [];
        this.#errors.push(error);
      }
    }
  }

  /** Old values are compared only if a rule failed. */
  #isUnchanged(): boolean {
    if (!this.#correlate) return false;
    this.#correlation ??= this.#correlate();
    return isUnchanged(this.#correlation, this.#path);
  }

  #visitItems(tree: RuleTree, self: readonly JsonValue[], old: JsonValue | undefined): void {
    const { items } = tree;
    if (!items) return;
    const oldItem = oldItems(tree.schema, Array.isArray(old) ? old : []);
    for (let i = 0; i < self.length; i++) {
      const item = self[i] as JsonValue;
      this.#path.push(i);
      this.#visit(items, item, oldItem(item));
      this.#path.pop();
    }
  }

  *#visitItemsSteps(
    tree: RuleTree,
    self: readonly JsonValue[],
    old: JsonValue | undefined,
    large: LargeValues,
  ): Steps<void> {
    const { items } = tree;
    if (!items) return;
    const oldItem = oldItems(tree.schema, Array.isArray(old) ? old : []);
    for (let i = 0; i < self.length && !this.#isOver(); i++) {
      const item = self[i] as JsonValue;
      this.#path.push(i);
      yield* this.#visitPart(items, item, oldItem(item), large);
      this.#path.pop();
      if (this.#isDue() || isPausePoint(item, i)) yield;
    }
  }

  #visitMembers(tree: RuleTree, self: JsonObject, old: JsonObject): void {
    const { additional, properties } = tree;
    if (additional) for (const key in self) this.#visitMember(additional, key, true, self, old);
    for (const [name, property] of properties) {
      if (Object.hasOwn(self, name)) this.#visitMember(property, name, false, self, old);
    }
  }

  *#visitMembersSteps(tree: RuleTree, self: JsonObject, old: JsonObject, large: LargeValues): Steps<void> {
    const { additional, properties } = tree;
    if (additional) {
      for (const [index, key] of Object.keys(self).entries()) {
        yield* this.#visitMemberSteps(additional, key, true, self, old, large);
        if (this.#isDue() || isPausePoint(self[key], index)) yield;
      }
    }
    for (const [name, property] of properties) {
      if (!Object.hasOwn(self, name)) continue;
      yield* this.#visitMemberSteps(property, name, false, self, old, large);
      if (this.#isDue()) yield;
    }
  }

  *#visitMemberSteps(
    tree: RuleTree,
    name: string,
    isKey: boolean,
    self: JsonObject,
    old: JsonObject,
    large: LargeValues,
  ): Steps<void> {
    this.#path.push(name, isKey);
    yield* this.#visitPart(tree, self[name], Object.hasOwn(old, name) ? old[name] : undefined, large);
    this.#path.pop();
  }

  #visitMember(tree: RuleTree, name: string, isKey: boolean, self: JsonObject, old: JsonObject): void {
    this.#path.push(name, isKey);
    this.#visit(tree, self[name], Object.hasOwn(old, name) ? old[name] : undefined);
    this.#path.pop();
  }
}

const NOTHING: JsonObject = {};

/** Finds the old item of a list map by its keys; items of other lists do not correlate. */
function oldItems(
  { listType, listMapKeys = [] }: Schema,
  old: readonly JsonValue[],
): (item: JsonValue) => JsonValue | undefined {
  return listType !== 'map' || old.length === 0 ? noOldItem : itemsByKeys(old, listMapKeys);
}

const noOldItem = (): undefined => undefined;
