import {
  type CompiledRule,
  compileRule,
  type EnvironmentSet,
  escapeProperty,
  maxOccurrences,
  type SchemaType,
  schemaType,
} from '@ashlar/cel';
import { type FieldError, FieldErrors, type Schema, type ValidationRule } from '@ashlar/core';
import { ErrorPlaces } from './error-places.ts';
import { printedRule } from './printed-rule.ts';
import { RuleCosts, timesOccurrences } from './rule-costs.ts';
import type { StoredExpressions } from './stored-expressions.ts';

/** What the check of a definition's rules goes by. */
export interface DefinitionRulesOptions {
  readonly environments: EnvironmentSet;
  readonly stored: StoredExpressions;
  /** The keyword that rules stand under. */
  readonly keyword: string;
  /** Errors of keywords: no rule is looked at there or around. */
  readonly keywordErrors: readonly FieldError[];
  /** Whether single rules may cost more than they should. */
  readonly toleratesCost: boolean;
}

/** A place of the schema. */
interface Place {
  readonly schema: Schema;
  readonly path: string;
  readonly isRoot: boolean;
  /** How often it can occur in one object; undefined where nothing limits that. */
  readonly occurrences: bigint | undefined;
  /** The outermost place whose parts old and new versions do not share, if this is within one. */
  readonly uncorrelatable: string | undefined;
  readonly type: PlaceType;
}

/** The type that rules of a place are compiled by, made when it is asked for. */
type PlaceType = () => SchemaType | 'untyped' | undefined;

const UNTYPED =
  'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';

/** Compiles all rules of a definition's schema and reckons what they may cost (semantics H6, H7). */
export class DefinitionRules {
  readonly #options: DefinitionRulesOptions;
  readonly #broken: ErrorPlaces;
  readonly #costs = new RuleCosts();
  readonly #errors: FieldError[] = [];

  constructor(options: DefinitionRulesOptions) {
    this.#options = options;
    this.#broken = new ErrorPlaces(options.keywordErrors);
  }

  errors(schema: Schema, path: string): readonly FieldError[] {
    this.#visit({
      schema,
      path,
      isRoot: true,
      occurrences: 1n,
      uncorrelatable: undefined,
      type: typeOf(schema, true, undefined, undefined),
    });
    return [...this.#errors, ...this.#costs.totalErrors(path, this.#options.keyword)];
  }

  #visit(place: Place): void {
    const { schema, path } = place;
    const { additionalProperties, items } = schema;
    if (typeof additionalProperties === 'object') {
      const element = (around: SchemaType): SchemaType | undefined => around.element;
      this.#visit(this.#within(place, additionalProperties, `${path}.additionalProperties`, element));
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const identifier = escapeProperty(name);
      const field = (around: SchemaType): SchemaType | undefined =>
        identifier === undefined ? undefined : around.fields?.get(identifier)?.type;
      this.#visit(this.#within(place, property, `${path}.properties[${name}]`, field));
    }
    if (items) {
      const inside = this.#within(place, items, `${path}.items`, (around) => around.element);
      const correlates = schema.listType === 'map';
      this.#visit(correlates ? inside : { ...inside, uncorrelatable: place.uncorrelatable ?? path });
    }
    if (schema.validations?.length && !this.#broken.below(path)) this.#check(schema.validations, place);
  }

  #within(
    around: Place,
    schema: Schema,
    path: string,
    access: (around: SchemaType) => SchemaType | undefined,
  ): Place {
    return {
      schema,
      path,
      isRoot: false,
      occurrences: occurrencesWithin(around),
      uncorrelatable: around.uncorrelatable,
      type: typeOf(schema, schema.embeddedResource === true, around, access),
    };
  }

  #check(rules: readonly ValidationRule[], place: Place): void {
    const type = place.type();
    const keyword = `${place.path}.${this.#options.keyword}`;
    if (type === undefined || type === 'untyped') {
      const text = UNTYPED.replace('x-kubernetes-validations', this.#options.keyword);
      this.#errors.push(FieldErrors.internal(keyword, text));
      return;
    }
    for (const [index, rule] of rules.entries()) {
      this.#checkRule(this.#compile(rule, place, type), place, type, `${keyword}[${index}]`);
    }
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

/** How often what is within a place can occur: lists and maps without a limit leave that open. */
function occurrencesWithin({ schema, occurrences }: Place): bigint | undefined {
  if (occurrences === undefined) return undefined;
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  if (schema.type !== 'array' && !isMap) return occurrences;
  const most = isMap ? schema.maxProperties : schema.maxItems;
  return most === undefined ? undefined : timesOccurrences(occurrences, BigInt(Math.max(0, most)));
}

/**
 * The type of a place, only where rules stand there or around: it is part of the type around it, or its own where that does not have
 * it. Nothing within an untyped place has a type.
 */
function typeOf(
  schema: Schema,
  isResourceRoot: boolean,
  around: Place | undefined,
  access: ((around: SchemaType) => SchemaType | undefined) | undefined,
): PlaceType {
  let type: SchemaType | 'untyped' | undefined;
  let inRules = false;
  let isMade = false;
  return () => {
    if (isMade) return inRules ? type : undefined;
    isMade = true;
    const outer = around?.type();
    inRules = outer !== undefined || (schema.validations?.length ?? 0) > 0;
    if (outer === 'untyped') type = outer;
    else if (inRules)
      type =
        (outer && access?.(outer)) ?? schemaType(schema, { name: SELF_TYPE, isResourceRoot }) ?? 'untyped';
    return type;
  };
}

/** Expressions cannot spell it. */
const SELF_TYPE = '@self';
