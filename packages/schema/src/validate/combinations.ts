import type { FieldError, JsonValue, Schema, Steps } from '@ashlar/core';
import { combinationError } from './value-errors.ts';
import type { Pace, ValueNode } from './value-node.ts';

/** Checks a value against combinations; returns the number of passed checks. */
export type CombinationCheck = (
  value: JsonValue,
  path: string,
  errors: FieldError[],
  pace: Pace,
) => Steps<number>;

/** Result of one alternative for a value. */
interface Verdict {
  readonly errors: readonly FieldError[];
  readonly count: number;
}

/**
 * Compiles `anyOf`, `oneOf`, `allOf` and `not` (semantics/schemas#validation-texts); undefined if there is
 * none. If all alternatives fail, the errors of the nearest one are reported, the first among equals. Parts
 * of a combination do not ratchet.
 */
export function compileCombinations(
  schema: Schema,
  compile: (part: Schema) => ValueNode,
): CombinationCheck | undefined {
  const checks: CombinationCheck[] = [];
  if (schema.anyOf?.length) checks.push(anyOf(schema.anyOf.map(compile)));
  if (schema.oneOf?.length) checks.push(oneOf(schema.oneOf.map(compile)));
  if (schema.allOf?.length) checks.push(allOf(schema.allOf.map(compile)));
  if (schema.not) checks.push(not(compile(schema.not)));
  if (checks.length === 0) return undefined;
  return function* (value, path, errors, pace) {
    let count = 0;
    for (const check of checks) count += yield* check(value, path, errors, pace);
    return count;
  };
}

function* checkAlternative(part: ValueNode, value: JsonValue, path: string, pace: Pace): Steps<Verdict> {
  const errors: FieldError[] = [];
  const count = yield* part.check(value, path, errors, pace);
  return { errors, count };
}

function* checkAlternatives(
  parts: readonly ValueNode[],
  value: JsonValue,
  path: string,
  pace: Pace,
): Steps<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const part of parts) verdicts.push(yield* checkAlternative(part, value, path, pace));
  return verdicts;
}

const isValid = (verdict: Verdict): boolean => verdict.errors.length === 0;

const nearest = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((best, each) => (each.count > best.count ? each : best));

function addErrors(verdict: Verdict, errors: FieldError[]): number {
  for (const error of verdict.errors) errors.push(error);
  return verdict.count;
}

function anyOf(parts: readonly ValueNode[]): CombinationCheck {
  return function* (value, path, errors, pace) {
    let best: Verdict | undefined;
    for (const part of parts) {
      const verdict = yield* checkAlternative(part, value, path, pace);
      if (isValid(verdict)) return verdict.count;
      if (!best || verdict.count > best.count) best = verdict;
    }
    errors.push(combinationError(path, 'validate at least one schema (anyOf)'));
    return addErrors(best as Verdict, errors);
  };
}

function oneOf(parts: readonly ValueNode[]): CombinationCheck {
  return function* (value, path, errors, pace) {
    const verdicts = yield* checkAlternatives(parts, value, path, pace);
    const valid = verdicts.filter(isValid);
    if (valid.length === 1) return (valid[0] as Verdict).count;
    const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    errors.push(combinationError(path, `validate one and only one schema (oneOf). ${found}`));
    return valid.length === 0 ? addErrors(nearest(verdicts), errors) : 0;
  };
}

function allOf(parts: readonly ValueNode[]): CombinationCheck {
  return function* (value, path, errors, pace) {
    const verdicts = yield* checkAlternatives(parts, value, path, pace);
    const valid = verdicts.filter(isValid).length;
    let count = 0;
    for (const verdict of verdicts) count += addErrors(verdict, errors);
    if (valid === parts.length) return count;
    errors.push(
      combinationError(path, `validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`),
    );
    return count;
  };
}

const not = (part: ValueNode): CombinationCheck =>
  function* (value, path, errors, pace) {
    if (isValid(yield* checkAlternative(part, value, path, pace)))
      errors.push(combinationError(path, 'not validate the schema (not)'));
    return 0;
  };
