// Vectors of the server's libraries, rules and environments: cel/k8s-library*.json.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  accessReviewDeclarations,
  authorizationTypes,
  authorizerValue,
  claimsDeclarations,
  compileRule,
  compileRuleTree,
  defineFunction,
  type Environment,
  escapeProperty,
  evaluateRules,
  evaluateRuleTree,
  overload,
  type PlacedFailure,
  type RuleBudget,
  type RuleFailure,
  requestResourceValue,
  ruleLimits,
  schemaType,
  serverEnvironment,
  types,
  typeText,
  unescapeProperty,
  userDeclarations,
  type Value,
} from '@ashlar/cel';
import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type JsonValue,
  parseFieldSelector,
  parseLabelSelector,
  printFieldValue,
  type Schema,
  kubernetesVocabulary as vocabulary,
} from '@ashlar/core';
import type { CaseResult } from '../../suite.ts';
import { toData, toSchema } from './schemas.ts';
import { type Encoded, matches } from './values.ts';

/** A vector of any of the suites in these files. */
export interface Vector {
  readonly id: string;
  readonly suite: string;
  readonly context?: string;
  readonly expr: string;
  readonly expect: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** The result of a vector: undefined if it is as expected. */
export type Verdict = { readonly expected: unknown; readonly actual: unknown } | undefined;

type Check = (vector: Vector) => Verdict;

/** Reads vectors, and merges their contexts. */
export function* readVectors(folder: string, pattern: RegExp): Iterable<Vector> {
  for (const file of readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()) {
    const { contexts, vectors } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      contexts: Record<string, object>;
      vectors: Vector[];
    };
    for (const vector of vectors) yield { ...(vector.context && contexts[vector.context]), ...vector };
  }
}

export async function* kubernetesCases(folder: string): AsyncIterable<CaseResult> {
  yield* checkAll(readVectors(folder, /^k8s-library.*\.json$/), CHECKS);
}

/** Runs vectors by their suites. */
export function* checkAll(
  vectors: Iterable<Vector>,
  checks: Readonly<Record<string, Check>>,
): Iterable<CaseResult> {
  for (const vector of vectors) {
    const runCase = checks[vector.suite];
    const verdict = runCase ? attempt(runCase, vector) : { expected: 'a known suite', actual: vector.suite };
    const { id, suite } = vector;
    yield verdict
      ? { id, suite, outcome: 'failed', input: vector, ...verdict }
      : { id, suite, outcome: 'passed' };
  }
}

function attempt(runCase: Check, vector: Vector): Verdict {
  try {
    return runCase(vector);
  } catch (error) {
    return { expected: vector.expect, actual: error instanceof Error ? error.stack : error };
  }
}

const verdict = (ok: boolean, expected: unknown, actual: unknown): Verdict =>
  ok ? undefined : { expected, actual };

const environment = serverEnvironment({ vocabulary });

type Outcome =
  | { readonly value: Value }
  | { readonly compileError: string }
  | { readonly runtimeError: string };

function evaluate(env: Environment, expr: string, bindings: Record<string, unknown>): Outcome {
  const compiled = env.compile(expr);
  if (!compiled.ok) return { compileError: compiled.text };
  const result = compiled.program.evaluate(bindings);
  return result.ok ? { value: result.value } : { runtimeError: result.error.message };
}

function checkOutcome(vector: Vector, outcome: Outcome): Verdict {
  const { expect } = vector;
  if ('value' in expect) {
    return verdict('value' in outcome && matches(outcome.value, expect.value as Encoded), expect, outcome);
  }
  if ('compileErrors' in expect) {
    const ok =
      'compileError' in outcome &&
      (expect.compileErrors as string[]).every((text) => new RegExp(text).test(outcome.compileError));
    return verdict(ok, expect, outcome);
  }
  const text = 'runtimeError' in outcome ? outcome.runtimeError : undefined;
  const wanted = expect.runtimeError as string;
  const ok =
    text !== undefined && (expect.match === 'regex' ? new RegExp(wanted).test(text) : text === wanted);
  return verdict(ok, expect, outcome);
}

const library: Check = (vector) => checkOutcome(vector, evaluate(environment, vector.expr, {}));

interface AllowWhen {
  readonly [attribute: string]: unknown;
}

/** The result of parsing a selector, in the notation of the vectors. */
function selectorFacts(attributes: AuthorizationAttributes): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  if (attributes.fieldSelector) {
    try {
      facts.fieldSelector = parseFieldSelector(attributes.fieldSelector).requirements.map(
        ({ field, operator, value }) => ({ key: field, operator, value }),
      );
    } catch (error) {
      facts.fieldSelectorParsingErr = (error as Error).message;
    }
  }
  if (attributes.labelSelector) {
    try {
      parseLabelSelector(attributes.labelSelector);
      facts.labelSelector = attributes.labelSelector.split(',');
    } catch (error) {
      facts.labelSelectorParsingErr = (error as Error).message;
    }
  }
  return facts;
}

const ANONYMOUS = { name: '', groups: [] };

/** Allows exactly the request that the vector names. */
function stubAuthorizer({
  allowWhen,
  otherwise,
}: {
  allowWhen?: AllowWhen;
  otherwise: { decision: string; reason?: string; error?: string };
}): Authorizer {
  const refusal: AuthorizationDecision = {
    decision:
      otherwise.decision === 'Deny' ? 'deny' : otherwise.decision === 'Allow' ? 'allow' : 'no-opinion',
    ...(otherwise.reason !== undefined && { reason: otherwise.reason }),
    ...(otherwise.error !== undefined && { error: new Error(otherwise.error) }),
  };
  return {
    authorize: (attributes) => {
      if (!allowWhen) return refusal;
      const asked: Record<string, unknown> = {
        resourceRequest: attributes.isResourceRequest,
        group: attributes.apiGroup,
        version: attributes.apiVersion,
        resource: attributes.resource,
        subresource: attributes.subresource,
        namespace: attributes.namespace,
        name: attributes.name,
        verb: attributes.verb,
        path: attributes.path,
        user: attributes.user === ANONYMOUS ? undefined : attributes.user,
        ...selectorFacts(attributes),
      };
      const keys = new Set([...Object.keys(asked), ...Object.keys(allowWhen)]);
      const same = [...keys].every(
        (key) => JSON.stringify(asked[key] || '') === JSON.stringify(allowWhen[key] || ''),
      );
      return same ? { decision: 'allow' } : refusal;
    },
  };
}

/** Environment and values of a vector with an authorizer. */
export function withAuthorizer(
  base: Environment,
  vector: Vector,
): { environment: Environment; bindings: Record<string, unknown> } {
  const { authorizer, resourceCheck } = authorizationTypes(vocabulary);
  const asked = stubAuthorizer(vector.authorizer as Parameters<typeof stubAuthorizer>[0]);
  const resource = (vector.requestResource ?? {}) as Record<string, string>;
  return {
    environment: base.extend({ variables: { authorizer, 'authorizer.requestResource': resourceCheck } }),
    bindings: {
      authorizer: authorizerValue(vocabulary, asked, ANONYMOUS),
      'authorizer.requestResource': requestResourceValue(vocabulary, asked, ANONYMOUS, {
        apiGroup: resource.group ?? '',
        resource: resource.resource ?? '',
        subresource: resource.subresource ?? '',
        namespace: resource.namespace ?? '',
        name: resource.name ?? '',
      }),
    },
  };
}

const authorizer: Check = (vector) => {
  const { environment: env, bindings } = withAuthorizer(environment, vector);
  return checkOutcome(vector, evaluate(env, vector.expr, bindings));
};

/** The rule of a vector over its data. */
export interface RuleCase {
  readonly schema: Schema;
  readonly isResourceRoot: boolean;
  readonly self: JsonValue;
  readonly oldSelf: JsonValue | undefined;
  readonly budget: RuleBudget;
}

export function ruleCase(vector: Vector): RuleCase {
  return {
    schema: toSchema(vector.schema),
    isResourceRoot: vector.isRoot === true,
    self: toData(vector.self),
    oldSelf: vector.oldSelf === undefined ? undefined : toData(vector.oldSelf),
    budget: {
      remaining: (vector.costBudget as number | undefined) ?? ruleLimits.perObject,
      perCall: (vector.perCallLimit as number | undefined) ?? ruleLimits.perCall,
    },
  };
}

const schemaRule: Check = (vector) => {
  const { schema, isResourceRoot, self, oldSelf, budget } = ruleCase(vector);
  const type = schemaType(schema, { name: '@self', isResourceRoot });
  if (!type) throw new Error('the schema has no type');
  const rule = compileRule({ rule: vector.expr }, { environment, type, isResourceRoot });
  const failures = evaluateRules([rule], { schema, isResourceRoot, self, oldSelf }, budget);
  return checkFailures(vector, failures, budget);
};

function checkFailures(vector: Vector, failures: readonly RuleFailure[], budget: RuleBudget): Verdict {
  const { expect } = vector;
  const details = failures.map((failure) => failure.detail);
  if ('value' in expect) return verdict(failures.length === 0, expect, details);
  if ('skipped' in expect)
    return verdict(failures.length === 0 && budget.remaining === ruleLimits.perObject, expect, details);
  const text = (expect.errorContains ?? expect.onlyErrorContains) as string;
  const only = !('onlyErrorContains' in expect) || details.length === 1;
  return verdict(only && details.some((detail) => detail.includes(text)), expect, details);
}

const limits: Check = (vector) => schemaRule(vector);

/** A failure as a field error: its path, its value if that is a scalar, and the reason. */
function failureText({ path, value, detail }: PlacedFailure): string {
  const place = path.reduce((text, step) => {
    if ('property' in step) return `${text}.${step.property}`;
    return 'key' in step ? `${text}[${step.key}]` : `${text}[${step.index}]`;
  }, 'root');
  const shown = typeof value === 'object' ? '' : `${printFieldValue(value)}: `;
  return `${place}: Invalid value: ${shown}${detail}`;
}

const schemaLevels: Check = (vector) => {
  const schema = toSchema(vector.schema);
  const tree = compileRuleTree(schema, false, environment);
  const budget = { remaining: ruleLimits.perObject };
  const failures = tree ? evaluateRuleTree(tree, { self: toData(vector.self) }, budget) : [];
  const shown = failures.map(failureText);
  const wanted = vector.expect.errorsContain as string[];
  const ok =
    shown.length === wanted.length && wanted.every((text) => shown.some((error) => error.includes(text)));
  return verdict(ok, wanted, shown);
};

/** A function of stored expressions only. */
const fakeFunction = defineFunction({
  name: 'fakeFunction',
  overloads: [overload('fakeFunction', [types.string], types.string, (text: string) => text.toUpperCase())],
});
const stored = environment.extend({ functions: [fakeFunction] });

interface ExpectedRule {
  readonly ok?: boolean;
  readonly noProgram?: boolean;
  readonly usesOldSelf?: boolean;
  readonly errorContains?: string;
  readonly messageExpressionErrorContains?: string;
}

const schemaCompile: Check = (vector) => {
  const schema = toSchema(vector.schema);
  const type = schemaType(schema, { name: '@self', isResourceRoot: false });
  if (!type) throw new Error('the schema has no type');
  const scope = {
    environment: vector.environment === 'stored' ? stored : environment,
    type,
    isResourceRoot: false,
  };
  const compiled = (schema.validations ?? []).map((rule) => compileRule(rule, scope));
  const expected = vector.expect.rules as ExpectedRule[];
  const actual = compiled.map(({ condition, message, usesOldSelf }) => ({
    condition: condition && (condition.ok ? 'ok' : condition.error),
    message: message && (message.ok ? 'ok' : message.error),
    usesOldSelf,
  }));
  const ok = expected.every((wanted, i) => {
    const { condition, message, usesOldSelf } = actual[i] as (typeof actual)[number];
    if (wanted.errorContains !== undefined)
      return condition !== 'ok' && condition?.includes(wanted.errorContains);
    if (wanted.noProgram) return condition === undefined;
    if (
      wanted.messageExpressionErrorContains !== undefined &&
      !message?.includes(wanted.messageExpressionErrorContains)
    )
      return false;
    return condition === 'ok' && (wanted.usesOldSelf === undefined || wanted.usesOldSelf === usesOldSelf);
  });
  return verdict(ok && expected.length === actual.length, expected, actual);
};

/** Compiles against one variable and requires a type of result. */
function compileWith(vector: Vector, env: Environment): Verdict {
  const compiled = env.compile(vector.expr);
  const required = (vector.requiredResult as string).split(' or ');
  let error: string | undefined;
  if (!compiled.ok) error = `compilation failed: ${compiled.text}`;
  else if (!required.includes(typeText(compiled.expression.type)))
    error = `must evaluate to ${required.join(' or ')}`;
  const wanted = vector.expect.compileErrorContains as string | undefined;
  const lenient = vector.role === 'ExtraMappingExpression' || vector.role === 'ClaimMappingExpression';
  if (wanted === undefined)
    return verdict(error === undefined || (lenient && compiled.ok), vector.expect, error);
  return verdict(error?.includes(wanted) ?? false, vector.expect, error);
}

const authentication: Check = (vector) => {
  const declarations =
    vector.declaredVariable === 'claims' ? claimsDeclarations() : userDeclarations(vocabulary);
  return compileWith(vector, environment.extend(declarations));
};
const accessReview: Check = (vector) =>
  compileWith(vector, environment.extend(accessReviewDeclarations(vocabulary)));

const escaping: Check = (vector) => {
  const identifier = escapeProperty(vector.property as string);
  const { accessible, identifier: wanted } = vector.expect;
  return verdict(
    accessible === (identifier !== undefined) && (!accessible || identifier === wanted),
    vector.expect,
    identifier,
  );
};

const unescaping: Check = (vector) => {
  const property = unescapeProperty(vector.identifier as string);
  const { valid, property: wanted } = vector.expect;
  return verdict(
    valid === (property !== undefined) && (wanted === undefined || property === wanted),
    vector.expect,
    property,
  );
};

const CHECKS: Readonly<Record<string, Check>> = {
  library,
  authorizer,
  'schema-rule': schemaRule,
  'schema-levels': schemaLevels,
  'schema-compile': schemaCompile,
  'authn-compile': authentication,
  'authz-match-compile': accessReview,
  'property-escaping': escaping,
  'property-unescaping': unescaping,
  limits,
};
