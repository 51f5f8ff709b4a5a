// Estimated and actual costs of expressions: cel/k8s-cost*.json.
import {
  authorizationTypes,
  authorizerValue,
  compileRule,
  compileRuleTree,
  createEnvironment,
  type Environment,
  evaluateRules,
  jsonPatchLibrary,
  kubernetesCosts,
  type Range,
  type RuleBudget,
  replacedSize,
  ruleBindings,
  ruleLimits,
  type SizeHints,
  schemaType,
  serverEnvironment,
  stringsLibrary,
  types,
} from '@ashlar/cel';
import { kubernetesVocabulary as vocabulary } from '@ashlar/core';
import type { CaseResult } from '../../suite.ts';
import { checkAll, readVectors, ruleCase, type Vector, type Verdict, withAuthorizer } from './kubernetes.ts';
import { toData, toSchema } from './schemas.ts';
import { decode, type Encoded, typeNamed } from './values.ts';

export async function* costCases(folder: string): AsyncIterable<CaseResult> {
  yield* checkAll(readVectors(folder, /^k8s-cost.*\.json$/), CHECKS);
}

const verdict = (ok: boolean, expected: unknown, actual: unknown): Verdict =>
  ok ? undefined : { expected, actual };

const environment = serverEnvironment({ vocabulary });

/** Numbers of the vectors; beyond 2^53 they are strings. */
interface ExpectedRange {
  readonly min: number | string;
  readonly max: number | string;
}

const sameRange = (actual: Range, expected: ExpectedRange): boolean =>
  actual.min === BigInt(expected.min) && actual.max === BigInt(expected.max);

const shown = ({ min, max }: Range): object => ({ min: String(min), max: String(max) });

const unknownText: SizeHints = (_, type) =>
  type.kind === 'string' || type.kind === 'bytes' ? { min: 0n, max: 12n } : undefined;

const unfolded = environment.extend({
  libraries: [jsonPatchLibrary],
  homogeneousLiterals: false,
  checkLiterals: false,
  foldConstants: false,
  variables: { authorizer: authorizationTypes(vocabulary).authorizer },
});
const allowing = authorizerValue(
  vocabulary,
  { authorize: () => ({ decision: 'allow' }) },
  { name: '', groups: [] },
);

const libraryCost = (vector: Vector): Verdict => {
  const compiled = unfolded.compile(vector.expr);
  if (!compiled.ok) return { expected: vector.expect, actual: compiled.text };
  const { cost } = compiled.program.evaluate({ authorizer: allowing });
  const estimate = unfolded.estimate(compiled.expression, unknownText);
  const ok =
    cost === vector.expect.runtimeCost && sameRange(estimate, vector.expect.estimatedCost as ExpectedRange);
  return verdict(ok, vector.expect, { runtimeCost: cost, estimatedCost: shown(estimate) });
};

const rangeOf = ({ min, max }: ExpectedRange): Range => ({ min: BigInt(min), max: BigInt(max) });

const resultSize = (vector: Vector): Verdict => {
  const [old, replacement] = (vector.argSizes as ExpectedRange[]).map(rangeOf) as [Range, Range];
  const size = replacedSize(rangeOf(vector.targetSize as ExpectedRange), old, replacement);
  return verdict(sameRange(size, vector.expect.resultSize as ExpectedRange), vector.expect, shown(size));
};

function compiledRule(vector: Vector): ReturnType<typeof compileRule> {
  const { schema, isResourceRoot } = ruleCase(vector);
  const type = schemaType(schema, { name: '@self', isResourceRoot });
  if (!type) throw new Error('the schema has no type');
  return compileRule({ rule: vector.expr }, { environment, type, isResourceRoot });
}

const schemaRuntime = (vector: Vector): Verdict => {
  const { condition } = compiledRule(vector);
  if (!condition?.ok) return { expected: vector.expect, actual: condition?.error };
  const { schema, isResourceRoot, self, oldSelf } = ruleCase(vector);
  const result = condition.program.evaluate(ruleBindings(schema, isResourceRoot, self, oldSelf).plain);
  return verdict(result.cost === vector.expect.runtimeCost, vector.expect, {
    cost: result.cost,
    ok: result.ok,
  });
};

const schemaEstimate = (vector: Vector): Verdict => {
  const { condition } = compiledRule(vector);
  if (!condition?.ok) return { expected: vector.expect, actual: condition?.error };
  const { max } = condition.estimate;
  return verdict(max === BigInt(vector.expect.estimatedMax as string), vector.expect, String(max));
};

const schemaEstimateTotal = (vector: Vector): Verdict => {
  const tree = compileRuleTree(toSchema(vector.schema), false, environment);
  const [rule] = tree?.rules ?? [];
  if (!rule?.condition?.ok) return { expected: vector.expect, actual: rule?.condition };
  const { max } = rule.condition.estimate;
  const { estimatedMax, estimatedMaxAtLeast } = vector.expect;
  const ok =
    estimatedMax === undefined
      ? max >= BigInt(estimatedMaxAtLeast as string)
      : max === BigInt(estimatedMax as string);
  return verdict(ok, vector.expect, String(max));
};

const messageExpression = (vector: Vector): Verdict => {
  const { schema, isResourceRoot, self, oldSelf, budget } = ruleCase(vector);
  const type = schemaType(schema, { name: '@self', isResourceRoot });
  if (!type) throw new Error('the schema has no type');
  const rule = {
    rule: vector.rule as string,
    messageExpression: vector.messageExpression as string,
    ...(vector.message !== undefined && { message: vector.message as string }),
  };
  const compiled = compileRule(rule, { environment, type, isResourceRoot });
  const [failure] = evaluateRules([compiled], { schema, isResourceRoot, self, oldSelf }, budget);
  const { validationErrorContains, remainingBudget } = vector.expect;
  const ok =
    (failure?.detail.includes(validationErrorContains as string) ?? false) &&
    (remainingBudget === undefined || budget.remaining === remainingBudget);
  return verdict(ok, vector.expect, { detail: failure?.detail, remaining: budget.remaining });
};

/** Several expressions with one budget, as in policies. */
const aggregateBudget = (vector: Vector): Verdict => {
  const { environment: env, bindings } = budgetEnvironment(vector);
  const budget: RuleBudget = {
    remaining: vector.budget === -1 ? ruleLimits.perObject : (vector.budget as number),
  };
  const actual: Record<string, unknown> = {};
  for (const expression of vector.expressions as string[]) {
    const compiled = env.compile(expression);
    if (!compiled.ok) return { expected: vector.expect, actual: compiled.text };
    const result = compiled.program.evaluate(bindings, { costLimit: ruleLimits.perCall });
    if (!result.ok && result.interrupted) actual.exceedsPerCallLimit = true;
    if (result.cost > budget.remaining) actual.exceedsBudget = true;
    if (actual.exceedsBudget || actual.exceedsPerCallLimit) break;
    budget.remaining -= result.cost;
  }
  const { exceedsBudget, exceedsPerCallLimit, remainingBudget } = vector.expect;
  const ok =
    (exceedsBudget === undefined || actual.exceedsBudget === true) &&
    (exceedsPerCallLimit === undefined || actual.exceedsPerCallLimit === true) &&
    (remainingBudget === undefined ||
      (Object.keys(actual).length === 0 && budget.remaining === remainingBudget));
  return verdict(ok, vector.expect, { ...actual, remaining: budget.remaining });
};

function budgetEnvironment(vector: Vector): { environment: Environment; bindings: Record<string, unknown> } {
  const { environment: env, bindings } = vector.authorizer
    ? withAuthorizer(environment, vector)
    : { environment, bindings: {} };
  const variables = toData(vector.variables) as Record<string, unknown>;
  const declared = Object.fromEntries(Object.keys(variables).map((name) => [name, types.dyn]));
  return { environment: env.extend({ variables: declared }), bindings: { ...bindings, ...variables } };
}

interface Declared {
  readonly name: string;
  readonly type: string;
}

function coreEnvironment(vector: Vector): Environment {
  const declared = (vector.typeEnv ?? []) as Declared[];
  return createEnvironment({
    libraries: [stringsLibrary(2)],
    variables: Object.fromEntries(declared.map(({ name, type }) => [name, typeNamed(type)])),
    costModel: { ...kubernetesCosts, presenceTest: vector.presenceTestHasCost ? 1 : 0 },
    foldConstants: false,
  });
}

const coreRuntime = (vector: Vector): Verdict => {
  const compiled = coreEnvironment(vector).compile(vector.expr);
  if (!compiled.ok) return { expected: vector.expect, actual: compiled.text };
  const bindings = Object.entries((vector.bindings ?? {}) as Record<string, Encoded>);
  const limit = vector.limit as number | undefined;
  const result = compiled.program.evaluate(
    Object.fromEntries(bindings.map(([name, value]) => [name, decode(value)])),
    limit === undefined ? {} : { costLimit: limit },
  );
  const exceeds = !result.ok && result.interrupted === 'cost-limit';
  const ok = vector.expect.exceedsLimit ? exceeds : !exceeds && result.cost === vector.expect.runtimeCost;
  return verdict(ok, vector.expect, {
    cost: result.cost,
    error: result.ok ? undefined : result.error.message,
  });
};

const coreEstimate = (vector: Vector): Verdict => {
  const env = coreEnvironment(vector);
  const compiled = env.compile(vector.expr);
  if (!compiled.ok) return { expected: vector.expect, actual: compiled.text };
  const hints = (vector.sizeHints ?? {}) as Record<string, number>;
  const estimate = env.estimate(compiled.expression, (path, type) => {
    const hint = hints[path.join('.')];
    if (hint !== undefined) return { min: 0n, max: BigInt(hint) };
    return type.kind === 'bytes' ? { min: 0n, max: 12n } : undefined;
  });
  return verdict(
    sameRange(estimate, vector.expect.estimatedCost as ExpectedRange),
    vector.expect,
    shown(estimate),
  );
};

const CHECKS: Readonly<Record<string, (vector: Vector) => Verdict>> = {
  'library-cost': libraryCost,
  'result-size-estimate': resultSize,
  'schema-runtime': schemaRuntime,
  'schema-estimate': schemaEstimate,
  'schema-estimate-whole': schemaEstimateTotal,
  'message-expression': messageExpression,
  'aggregate-budget': aggregateBudget,
  'core-runtime': coreRuntime,
  'core-estimate': coreEstimate,
};
