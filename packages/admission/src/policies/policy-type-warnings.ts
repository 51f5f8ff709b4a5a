import {
  type PolicyTypeChecker,
  policyTypeChecker,
  type SchemaType,
  schemaType,
  serverEnvironment,
} from '@ashlar/cel';
import {
  type GroupVersionKind,
  type GroupVersionResource,
  groupVersionKindText,
  runAtOnce,
  type Schema,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import type { NamedAdmissionRule } from '../matching/request-matching.ts';
import type { ParamKind, ValidatingAdmissionPolicy } from './policy-objects.ts';

/** A kind and its schema, whose root has `metadata`. */
export interface TypedKind extends GroupVersionKind {
  readonly schema: Schema;
}

/** Finds the schemas that policies are checked against. */
export interface TypedKinds {
  readonly vocabulary: Vocabulary;
  ofResource(resource: GroupVersionResource): TypedKind | undefined;
  ofParams(kind: ParamKind): TypedKind | undefined;
}

/** What is wrong with an expression for the kinds that its policy matches. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Maximum number of kinds of one rule that a policy is checked against. */
const MAXIMUM_KINDS = 10;

/**
 * Checks the expressions of a policy against the schemas of the kinds that it names in full (semantics/admission#validatingadmissionpolicy):
 * errors are reported as warnings only.
 */
export function policyTypeWarnings(
  policy: ValidatingAdmissionPolicy,
  kinds: TypedKinds,
): readonly ExpressionWarning[] {
  return runAtOnce(policyTypeWarningsSteps(policy, kinds));
}

/** As {@link policyTypeWarnings}, with pauses: each expression is checked against each kind. */
export function* policyTypeWarningsSteps(
  { spec = {} }: ValidatingAdmissionPolicy,
  kinds: TypedKinds,
): Steps<readonly ExpressionWarning[]> {
  const checkers = yield* checkersOf(spec, kinds);
  const warnings: ExpressionWarning[] = [];
  for (const [index, { expression, messageExpression = '' }] of (spec.validations ?? []).entries()) {
    const path = `spec.validations[${index}]`;
    warnings.push(...(yield* expressionWarnings(checkers, `${path}.expression`, expression)));
    if (messageExpression !== '')
      warnings.push(...(yield* expressionWarnings(checkers, `${path}.messageExpression`, messageExpression)));
  }
  return warnings;
}

function* expressionWarnings(
  checkers: readonly NamedChecker[],
  fieldRef: string,
  expression: string,
): Steps<readonly ExpressionWarning[]> {
  const problems: string[] = [];
  for (const { name, checker } of checkers) {
    const problem = checker.check(expression);
    if (problem !== undefined) problems.push(`${name}: ${problem}\n`);
    yield;
  }
  return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join('\n') }];
}

interface NamedChecker {
  readonly name: string;
  readonly checker: PolicyTypeChecker;
}

function* checkersOf(
  { matchConstraints, paramKind, variables }: NonNullable<ValidatingAdmissionPolicy['spec']>,
  kinds: TypedKinds,
): Steps<readonly NamedChecker[]> {
  const { vocabulary } = kinds;
  const environment = serverEnvironment({ vocabulary });
  const params = paramKind ? typeOf(kinds.ofParams(paramKind)) : undefined;
  const checkers: NamedChecker[] = [];
  for (const kind of yield* matchedKinds(matchConstraints?.resourceRules ?? [], kinds)) {
    const object = typeOf(kind);
    if (!object) continue;
    const checker = policyTypeChecker({
      ...{ environment, vocabulary, object, variables: variables ?? [] },
      ...(params && { params }),
    });
    checkers.push({ name: groupVersionKindText(kind), checker });
    yield;
  }
  return checkers;
}

const typeOf = (kind: TypedKind | undefined): SchemaType | undefined =>
  kind && schemaType(kind.schema, { name: kind.kind, isResourceRoot: true, formatsJoinTypes: true });

/** Resources that are looked up between two pauses. */
const RESOURCES_PER_STEP = 64;

/** Returns the kinds that rules name without wildcards, sorted. */
function* matchedKinds(rules: readonly NamedAdmissionRule[], kinds: TypedKinds): Steps<readonly TypedKind[]> {
  const found = new Map<string, TypedKind>();
  let looked = 0;
  for (const rule of rules) {
    let count = 0;
    for (const resource of namedResources(rule)) {
      if (++looked % RESOURCES_PER_STEP === 0) yield;
      const kind = kinds.ofResource(resource);
      if (!kind) continue;
      found.set(groupVersionKindText(kind), kind);
      count++;
      if (count === MAXIMUM_KINDS) break;
    }
  }
  return [...found.values()].sort(
    (a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind),
  );
}

function* namedResources({
  apiGroups,
  apiVersions,
  resources,
}: NamedAdmissionRule): Iterable<GroupVersionResource> {
  const named = (texts: readonly string[] | null | undefined): readonly string[] =>
    texts?.includes('*') ? [] : [...new Set(texts)].sort();
  const plurals = [...new Set(resources)].sort().filter((text) => text !== '*' && !text.includes('/'));
  for (const group of named(apiGroups))
    for (const version of named(apiVersions))
      for (const resource of plurals) yield { group, version, resource };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
