import {
  type CompiledRule,
  compileRule,
  type EnvironmentSet,
  MAXIMUM_EXPRESSIONS,
  maxOccurrences,
  type SchemaType,
  schemaType,
} from '@ashlar/cel';
import { type FieldError, FieldErrors, type Schema, type Steps, type ValidationRule } from '@ashlar/core';
import { BrokenPlaces } from './broken-places.ts';
import type { DefinitionAllowance } from './definition-allowance.ts';
import { printedRule } from './printed-rule.ts';
import { RuleCosts, timesOccurrences } from './rule-costs.ts';
import type { StoredExpressions } from './stored-expressions.ts';

/** Options of the check of a definition's rules. */
export interface DefinitionRulesOptions {
  readonly environments: EnvironmentSet;
  readonly stored: StoredExpressions;
  /** The keyword of rules. */
  readonly keyword: string;
  /** Paths of places with invalid keywords: no rule is checked there or around. */
  readonly brokenPlaces: readonly string[];
  readonly allowance: DefinitionAllowance;
  /** Whether single rules may exceed their cost limit. */
  readonly toleratesCost: boolean;
}

/** A place of the schema. */
interface Place {
  readonly schema: Schema;
  readonly path: string;
  readonly isRoot: boolean;
  /** Maximum occurrences in one object; undefined if there is no limit. */
  readonly occurrences: bigint | undefined;
  /** The outermost place whose parts do not correlate, if this is within one. */
  readonly uncorrelatable: string | undefined;
  /** Whether there are rules here or around. */
  readonly hasRules: boolean;
  /** Whether there are rules, and expressions have no type for this place or for one in between. */
  readonly isUntyped: boolean;
  /** Whether this is an element of what is a number or text for expressions, and so has no declaration. */
  readonly isUndeclared: boolean;
}

const untypedText = (keyword: string): string =>
  `internal error: failed to construct type information for ${keyword} rules: unable to convert structural schema to CEL declarations`;

const UNDECLARED = 'failed to convert to declType for CEL validation rules';

/** Compiles all rules of a definition's schema and estimates their costs (semantics/schemas#rules, #costs). */
export class DefinitionRules {
  readonly #options: DefinitionRulesOptions;
  readonly #broken: BrokenPlaces;
  readonly #costs = new RuleCosts();
  readonly #errors: FieldError[] = [];
  /** Those with rules. */
  readonly #places: Place[] = [];

  constructor(options: DefinitionRulesOptions) {
    this.#options = options;
    this.#broken = new BrokenPlaces(options.brokenPlaces);
  }

  /** Returns the errors, with pauses between rules. Rules are compiled only if the definition may have as many. */
  *errorsSteps(schema: Schema, path: string): Steps<readonly FieldError[]> {
    this.#visit({
      schema,
      path,
      isRoot: true,
      occurrences: 1n,
      uncorrelatable: undefined,
      isUndeclared: false,
      ...typing(schema, undefined),
    });
    if (this.#errors.length === 0) for (const place of this.#places) yield* this.#check(place);
    return [...this.#errors, ...this.#costs.totalErrors(path, this.#options.keyword)];
  }

  /** Finds the places with rules, those inside first. */
  #visit(place: Place): void {
    const { schema, path } = place;
    const { additionalProperties, items } = schema;
    if (typeof additionalProperties === 'object') {
      this.#visit(elementWithin(place, additionalProperties, `${path}.additionalProperties`));
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (hasNoRules(property)) continue;
      const inside = placeWithin(place, property, `${path}.properties[${name}]`);
      const correlates = MAP_TYPES.has(schema.mapType ?? 'granular');
      this.#visit(correlates ? inside : { ...inside, uncorrelatable: place.uncorrelatable ?? path });
    }
    if (items) {
      const inside = elementWithin(place, items, `${path}.items`);
      const correlates = schema.listType === 'map';
      this.#visit(correlates ? inside : { ...inside, uncorrelatable: place.uncorrelatable ?? path });
    }
    const { validations } = schema;
    if (!validations?.length || this.#broken.has(path)) return;
    if (this.#allows(validations, this.#keywordAt(place))) this.#places.push(place);
  }

  #keywordAt({ path }: Place): string {
    return `${path}.${this.#options.keyword}`;
  }

  *#check(place: Place): Steps<void> {
    const rules = place.schema.validations ?? [];
    const keyword = this.#keywordAt(place);
    const isResourceRoot = place.isRoot || place.schema.embeddedResource === true;
    const { limitsNumbersOrTexts } = this.#options.environments;
    const options = { name: SELF_TYPE, isResourceRoot, limitsNumbersOrTexts };
    const type = place.isUntyped ? undefined : schemaType(place.schema, options);
    if (!type || place.isUndeclared) {
      const why = type ? UNDECLARED : untypedText(this.#options.keyword);
      this.#errors.push(FieldErrors.internal(keyword, why));
      return;
    }
    for (const [index, rule] of rules.entries()) {
      this.#checkRule(this.#compile(rule, place, type), place, type, `${keyword}[${index}]`);
      yield;
    }
  }

  /** Too many are reported once. A stored definition that has them already keeps them. */
  #allows(rules: readonly ValidationRule[], keyword: string): boolean {
    const { allowance, toleratesCost } = this.#options;
    if (toleratesCost) return true;
    const before = allowance.expressions;
    for (const rule of rules) allowance.expressions -= rule.messageExpression ? 2 : 1;
    if (before >= 0 && allowance.expressions < 0) {
      this.#errors.push(
        FieldErrors.tooMany(keyword, MAXIMUM_EXPRESSIONS - allowance.expressions, MAXIMUM_EXPRESSIONS),
      );
    }
    return allowance.expressions >= 0;
  }

  #compile(rule: ValidationRule, place: Place, type: SchemaType): CompiledRule {
    const { environments, stored } = this.#options;
    const pick = (isStored: boolean) => (isStored ? environments.forStored : environments.forNew);
    return compileRule(rule, {
      environment: pick(stored.rules.has(rule.rule)),
      messageEnvironment: pick(stored.messages.has(rule.messageExpression ?? '')),
      type,
      isResourceRoot: place.isRoot || place.schema.embeddedResource === true,
    });
  }

  #checkRule(compiled: CompiledRule, place: Place, type: SchemaType, path: string): void {
    const { rule, condition, message } = compiled;
    if (!condition) return;
    if (condition.ok) {
      const occurrences = place.occurrences ?? BigInt(maxOccurrences(type));
      this.#cost('rule', `${path}.rule`, timesOccurrences(condition.estimate.max, occurrences));
    } else {
      this.#errors.push(FieldErrors.invalid(`${path}.rule`, printedRule(rule), condition.error));
    }
    if (message?.ok) this.#cost('messageExpression', `${path}.messageExpression`, message.estimate.max);
    else if (message) {
      this.#errors.push(FieldErrors.invalid(`${path}.messageExpression`, printedRule(rule), message.error));
    }
    this.#checkOldSelf(rule, condition.ok && compiled.usesOldSelf, place.uncorrelatable, path);
  }

  #cost(what: string, path: string, cost: bigint): void {
    const error = this.#costs.add(`estimated ${what} cost`, path, cost);
    if (error && !this.#options.toleratesCost) this.#errors.push(error);
  }

  #checkOldSelf(
    rule: ValidationRule,
    usesOldSelf: boolean,
    uncorrelatable: string | undefined,
    path: string,
  ): void {
    if (usesOldSelf && uncorrelatable !== undefined) {
      const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
      this.#errors.push(FieldErrors.invalid(`${path}.rule`, rule.rule, text));
    } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const text = 'may not be set if oldSelf is not used in rule';
      this.#errors.push(FieldErrors.invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, text));
    }
  }
}

/** Checked before the path is built: most fields have no rules. */
const hasNoRules = ({ validations, properties, items, additionalProperties }: Schema): boolean =>
  validations === undefined &&
  properties === undefined &&
  items === undefined &&
  typeof additionalProperties !== 'object';

/** Returns the maximum occurrences within a place; undefined below lists and maps without a limit. */
function occurrencesWithin({ schema, occurrences }: Place): bigint | undefined {
  if (occurrences === undefined) return undefined;
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  if (schema.type !== 'array' && !isMap) return occurrences;
  const most = isMap ? schema.maxProperties : schema.maxItems;
  return most === undefined ? undefined : timesOccurrences(occurrences, BigInt(Math.max(0, most)));
}

/** Maps of any other type, which is an error of its own, have no known old values. */
const MAP_TYPES: ReadonlySet<string> = new Set(['atomic', 'granular']);

function placeWithin(around: Place, schema: Schema, path: string): Place {
  return {
    schema,
    path,
    isRoot: false,
    occurrences: occurrencesWithin(around),
    uncorrelatable: around.uncorrelatable,
    isUndeclared: false,
    ...typing(schema, around),
  };
}

/** The place of the items of a list, or of the values of a map. */
function elementWithin(around: Place, schema: Schema, path: string): Place {
  const isUndeclared = around.hasRules && !around.isUntyped && around.schema.intOrString === true;
  return { ...placeWithin(around, schema, path), isUndeclared };
}

/** Others are errors of their own. */
const TYPES: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

function typing(schema: Schema, around: Place | undefined): Pick<Place, 'hasRules' | 'isUntyped'> {
  const hasRules = around?.hasRules || (schema.validations?.length ?? 0) > 0;
  return { hasRules, isUntyped: hasRules && (around?.isUntyped || !isTyped(schema)) };
}

/** Whether expressions have a type for a schema, ignoring the contents of objects. */
function isTyped(schema: Schema): boolean {
  for (let at: Schema | undefined = schema; at; at = elementOf(at)) {
    if (at.intOrString) return true;
    if (at.type === undefined || !TYPES.has(at.type) || (at.type === 'array' && !at.items)) return false;
  }
  return true;
}

function elementOf({ type, items, additionalProperties }: Schema): Schema | undefined {
  if (type === 'array') return items;
  return type === 'object' && typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Expressions cannot spell it. */
const SELF_TYPE = '@self';
