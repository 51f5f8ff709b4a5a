import { choiceErrors, type FieldError, FieldErrors, qualifiedNameErrors } from '@ashlar/core';
import { contradictionWhen, each, follows, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { FAILURE_ACTIONS } from '../shapes/shared/enumerations.ts';
import type { FailureRule, JobSpec } from './job-types.ts';

const MOST_RULES = 20;
const MOST_VALUES = 255;
const STATUSES = ['False', 'True', 'Unknown'];
const OPERATORS = ['In', 'NotIn'];

/** Errors of what a job does about failed pods. */
export function failurePolicyErrors(spec: JobSpec, path: string): readonly FieldError[] {
  const { podFailurePolicy, template, backoffLimitPerIndex } = spec;
  if (!podFailurePolicy) return NO_ERRORS;
  const { containers, initContainers } = template?.spec ?? {};
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name = '' }) => name));
  const rules = `${path}.rules`;
  return [
    ...tooMany(podFailurePolicy.rules, MOST_RULES, rules),
    ...each(rules, podFailurePolicy.rules, (rule, at) => [
      ...actionErrors(rule, backoffLimitPerIndex !== undefined, `${at}.action`),
      ...exitCodesErrors(rule.onExitCodes, names, `${at}.onExitCodes`),
      ...conditionsErrors(rule, `${at}.onPodConditions`),
      ...onlyOneErrors(rule, at),
    ]),
  ];
}

/** Errors of lists that are too long. */
export function tooMany(
  list: readonly unknown[] | null | undefined,
  most: number,
  path: string,
): readonly FieldError[] {
  const count = list?.length ?? 0;
  return count > most ? [FieldErrors.tooMany(path, count, most)] : NO_ERRORS;
}

const values = (choices: readonly string[]): string =>
  `valid values: [${choices.map((name) => `"${name}"`).join(' ')}]`;

/** A value of an enumeration; errors of missing ones name its values. */
function choice(value: string | undefined, choices: readonly string[], path: string): readonly FieldError[] {
  return value ? choiceErrors(path, value, choices) : requiredWhen(true, path, values(choices));
}

function actionErrors({ action }: FailureRule, isPerIndex: boolean, path: string): readonly FieldError[] {
  return action === 'FailIndex'
    ? invalidWhen(!isPerIndex, path, action, 'requires the backoffLimitPerIndex to be set')
    : choice(action, FAILURE_ACTIONS, path);
}

function exitCodesErrors(
  codes: FailureRule['onExitCodes'],
  names: ReadonlySet<string>,
  path: string,
): readonly FieldError[] {
  if (!codes) return NO_ERRORS;
  const { operator, containerName } = codes;
  const numbers = codes.values ?? [];
  const list = `${path}.values`;
  const seen = new Set<number>();
  return [
    ...choice(operator, OPERATORS, `${path}.operator`),
    ...invalidWhen(
      containerName !== undefined && !names.has(containerName),
      `${path}.containerName`,
      containerName,
      'must be one of the container or initContainer names in the pod template',
    ),
    ...invalidWhen(numbers.length === 0, list, numbers, 'at least one value is required'),
    ...tooMany(numbers, MOST_VALUES, list),
    ...each(list, numbers, (number, at) => {
      const isRepeated = seen.has(number);
      seen.add(number);
      return [
        ...invalidWhen(operator === 'In' && number === 0, at, number, 'must not be 0 for the In operator'),
        ...(isRepeated ? [FieldErrors.duplicate(at, number)] : NO_ERRORS),
      ];
    }),
    ...invalidWhen(
      numbers.some((number, index) => number < (numbers[index - 1] ?? number)),
      list,
      numbers,
      'must be ordered',
    ),
  ];
}

function conditionsErrors({ onPodConditions }: FailureRule, path: string): readonly FieldError[] {
  return [
    ...tooMany(onPodConditions, MOST_RULES, path),
    ...each(path, onPodConditions, ({ type = '', status }, at) => [
      ...follows(`${at}.type`, type, qualifiedNameErrors),
      ...choice(status, STATUSES, `${at}.status`),
    ]),
  ];
}

/** A rule is about exit codes or about conditions. */
function onlyOneErrors({ onExitCodes, onPodConditions }: FailureRule, path: string): readonly FieldError[] {
  const hasConditions = (onPodConditions?.length ?? 0) > 0;
  if ((onExitCodes !== undefined) !== hasConditions) return NO_ERRORS;
  const why = hasConditions
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required';
  return contradictionWhen(true, path, why);
}
