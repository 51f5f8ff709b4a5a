import { type FieldError, FieldErrors, ParseError, utf8Length } from '@ashlar/core';
import { each, invalidWhen, NO_ERRORS, nonNegative, requiredWhen } from '../field-rules.ts';
import { tooMany } from './failure-policy.ts';
import { countIndexes } from './index-list.ts';
import type { SuccessPolicy } from './job-types.ts';

const MOST_RULES = 20;
const LONGEST_LIST_BYTES = 65_536;

/** Errors of when a job has succeeded. */
export function successPolicyErrors(
  { rules }: SuccessPolicy,
  completions: number,
  path: string,
): readonly FieldError[] {
  const at = `${path}.rules`;
  return [
    ...requiredWhen(
      !rules || rules.length === 0,
      at,
      'at least one rules must be specified when the successPolicy is specified',
    ),
    ...tooMany(rules, MOST_RULES, at),
    ...each(at, rules, (rule, place) => ruleErrors(rule, completions, place)),
  ];
}

type Rule = NonNullable<SuccessPolicy['rules']>[number];

function ruleErrors(
  { succeededIndexes, succeededCount }: Rule,
  completions: number,
  path: string,
): readonly FieldError[] {
  const list = succeededIndexes === undefined ? undefined : readList(succeededIndexes, completions);
  const indexes = `${path}.succeededIndexes`;
  const isTooLong = utf8Length(succeededIndexes ?? '') > LONGEST_LIST_BYTES;
  return [
    ...requiredWhen(
      succeededCount === undefined && succeededIndexes === undefined,
      path,
      'at least one of succeededCount or succeededIndexes must be specified',
    ),
    ...(isTooLong ? [FieldErrors.tooLong(indexes, LONGEST_LIST_BYTES)] : NO_ERRORS),
    ...(list?.why === undefined ? NO_ERRORS : [FieldErrors.invalid(indexes, succeededIndexes, list.why)]),
    ...(succeededCount === undefined
      ? NO_ERRORS
      : countErrors(succeededCount, completions, list?.count, `${path}.succeededCount`)),
  ];
}

function readList(text: string, completions: number): { readonly count: number; readonly why?: string } {
  try {
    return { count: countIndexes(text, completions) };
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    return { count: 0, why: `error parsing succeededIndexes: ${error.message}` };
  }
}

function countErrors(
  count: number,
  completions: number,
  listed: number | undefined,
  path: string,
): readonly FieldError[] {
  const atMost = (most: number, of: string): string =>
    `must be less than or equal to ${most} (the number of ${of})`;
  return [
    ...nonNegative(path, count),
    ...invalidWhen(count > completions, path, count, atMost(completions, 'specified completions')),
    ...invalidWhen(
      listed !== undefined && count > listed,
      path,
      count,
      atMost(listed ?? 0, 'indexes in the specified succeededIndexes field'),
    ),
  ];
}
