import type { JsonValue, Schema, ValidationRule } from '@ashlar/core';
import { trimSpace } from '@ashlar/core';
import type { CheckedExpression } from '../check/checked-expression.ts';
import { objectTypesOf, type SchemaType, sizeHintsOf, withTypeAndName } from '../check/schema-type.ts';
import { schemaValue } from '../check/schema-value.ts';
import { type CelType, types } from '../check/types.ts';
import type { Estimate } from '../cost/estimate.ts';
import type { Compilation, Environment } from '../environment/environment.ts';
import type { Bindings } from '../plan/frame.ts';
import type { Program } from '../plan/program.ts';
import { NONE, Optional, type Value } from '../values/values.ts';

/** Context of compiling rules: the environment and the type of `self`. */
export interface RuleScope {
  readonly environment: Environment;
  /** The environment of message expressions, if it differs. */
  readonly messageEnvironment?: Environment;
  readonly type: SchemaType;
  readonly isResourceRoot: boolean;
  /** Variables in addition to `self` and `oldSelf`. */
  readonly variables?: Readonly<Record<string, CelType>>;
}

/** A compiled expression of a rule, or its error. */
export type CompiledExpression =
  | {
      readonly ok: true;
      readonly program: Program;
      readonly expression: CheckedExpression;
      /** Minimum and maximum cost of an evaluation, from the limits in the schema. */
      readonly estimate: Estimate;
    }
  | { readonly ok: false; readonly error: string };

/** A rule of a schema, compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined for a rule of white space only, which is never run. */
  readonly condition: CompiledExpression | undefined;
  /** The message expression, if any. */
  readonly message: CompiledExpression | undefined;
  /** Whether the rule reads the old value: then it runs only if there is one, or is optional. */
  readonly usesOldSelf: boolean;
}

/** Compiles a rule (`x-…-validations`; semantics/schemas#rules). Errors are returned in the result. */
export function compileRule(rule: ValidationRule, scope: RuleScope): CompiledRule {
  if (trimSpace(rule.rule) === '')
    return { rule, condition: undefined, message: undefined, usesOldSelf: false };
  const environment = ruleEnvironment(rule, scope, scope.environment);
  const sizes = sizeHintsOf(scope.type);
  const compiled = environment.compile(rule.rule);
  const condition = toExpression(compiled, environment, sizes, types.bool, RULE_TEXTS);
  const message = condition.ok ? compileMessage(rule, scope, environment) : undefined;
  return { rule, condition, message, usesOldSelf: compiled.ok && refersTo(compiled.expression, 'oldSelf') };
}

function compileMessage(
  rule: ValidationRule,
  scope: RuleScope,
  environment: Environment,
): CompiledExpression | undefined {
  const { messageExpression } = rule;
  if (!messageExpression) return undefined;
  const { messageEnvironment = scope.environment } = scope;
  const own =
    messageEnvironment === scope.environment ? environment : ruleEnvironment(rule, scope, messageEnvironment);
  return toExpression(
    own.compile(messageExpression),
    own,
    sizeHintsOf(scope.type),
    types.string,
    MESSAGE_TEXTS,
  );
}

/** Environments of paths by the type of `self`: all rules of a path share the two, and all scalars of one type. */
const environments = new WeakMap<SchemaType | CelType, WeakMap<Environment, Map<boolean, Environment>>>();

function ruleEnvironment(rule: ValidationRule, scope: RuleScope, environment: Environment): Environment {
  const { type, variables } = scope;
  const optionalOldSelf = rule.optionalOldSelf ?? false;
  if (variables) return withSelf(environment, type, optionalOldSelf).extend({ variables });
  const key = type.fields || type.element ? type : type.type;
  const ofType = environments.get(key) ?? new WeakMap<Environment, Map<boolean, Environment>>();
  environments.set(key, ofType);
  const ofEnvironment = ofType.get(environment) ?? new Map<boolean, Environment>();
  ofType.set(environment, ofEnvironment);
  const cached = ofEnvironment.get(optionalOldSelf) ?? withSelf(environment, type, optionalOldSelf);
  ofEnvironment.set(optionalOldSelf, cached);
  return cached;
}

function withSelf(environment: Environment, type: SchemaType, optionalOldSelf: boolean): Environment {
  const self = type.type;
  return environment.extend({
    variables: { self, oldSelf: optionalOldSelf ? types.optional(self) : self },
    objectTypes: objectTypesOf(type),
  });
}

interface Texts {
  readonly compiling: string;
  readonly planning: string;
  readonly wrongType: string;
}

const RULE_TEXTS: Texts = {
  compiling: 'compilation failed: ',
  planning: 'program instantiation failed: ',
  wrongType: 'cel expression must evaluate to a bool',
};
const MESSAGE_TEXTS: Texts = {
  compiling: 'messageExpression compilation failed: ',
  planning: 'messageExpression instantiation failed: ',
  wrongType: 'messageExpression must evaluate to a string',
};

function toExpression(
  compiled: Compilation,
  environment: Environment,
  sizes: ReturnType<typeof sizeHintsOf>,
  type: CelType,
  texts: Texts,
): CompiledExpression {
  if (!compiled.ok) {
    const refused = compiled.stage === 'plan' ? texts.planning : texts.compiling;
    return { ok: false, error: refused + compiled.text };
  }
  const { program, expression } = compiled;
  if (expression.type.kind !== type.kind || expression.type.nullable)
    return { ok: false, error: texts.wrongType };
  return { ok: true, program, expression, estimate: environment.estimate(expression, sizes) };
}

/** Whether the expression reads the variable. */
function refersTo(expression: CheckedExpression, variable: string): boolean {
  return expression.references.some((reference) => reference?.name === variable && !reference.local);
}

/** Values of `self` and `oldSelf` for the rules of one place. */
export interface RuleBindings {
  readonly plain: Bindings;
  /** The same with `oldSelf` as an optional. */
  readonly optional: Bindings;
}

/** Binds the data of one path; `oldSelf` is undefined if there is nothing comparable. */
export function ruleBindings(
  schema: Schema,
  isResourceRoot: boolean,
  self: JsonValue,
  oldSelf: JsonValue | undefined,
  variables?: Bindings,
): RuleBindings {
  const rootSchema = isResourceRoot ? withTypeAndName(schema) : schema;
  const value = schemaValue(self, rootSchema);
  const old: Value | undefined =
    oldSelf === undefined || oldSelf === null ? undefined : schemaValue(oldSelf, rootSchema);
  const own: Bindings = old === undefined ? { self: value } : { self: value, oldSelf: old };
  return {
    plain: variables ? { ...variables, ...own } : own,
    get optional(): Bindings {
      return { ...variables, self: value, oldSelf: old === undefined ? NONE : new Optional(old) };
    },
  };
}
