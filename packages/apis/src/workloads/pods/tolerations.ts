import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '@ashlar/core';
import { each, invalidWhen, NO_ERRORS, optionalFollows } from '../field-rules.ts';
import type { Toleration } from './placement-types.ts';

/** What a taint does to pods that do not tolerate it. */
const TAINT_EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Errors of the taints that a pod tolerates. */
export function tolerationsErrors(
  tolerations: readonly Toleration[] | undefined,
  path: string,
): readonly FieldError[] {
  return each(path, tolerations, tolerationErrors);
}

/** Errors of one toleration. */
export function tolerationErrors(toleration: Toleration, at: string): readonly FieldError[] {
  const { key, operator = '', effect = '', tolerationSeconds } = toleration;
  const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const timed = "effect must be 'NoExecute' when `tolerationSeconds` is set";
  return [
    ...optionalFollows(`${at}.key`, key, qualifiedNameErrors),
    ...invalidWhen(!key && operator !== 'Exists', `${at}.operator`, operator, all),
    ...invalidWhen(tolerationSeconds !== undefined && effect !== 'NoExecute', `${at}.effect`, effect, timed),
    ...valueErrors(toleration, `${at}.operator`),
    ...(effect === '' ? NO_ERRORS : choiceErrors(`${at}.effect`, effect, TAINT_EFFECTS)),
  ];
}

/** Errors of values name the operator. */
function valueErrors({ operator = '', value = '' }: Toleration, path: string): readonly FieldError[] {
  if (operator === 'Exists')
    return invalidWhen(value !== '', path, value, "value must be empty when `operator` is 'Exists'");
  if (operator !== '' && operator !== 'Equal')
    return [FieldErrors.notSupported(path, operator, ['Equal', 'Exists'])];
  const why = labelValueErrors(value);
  return invalidWhen(why.length > 0, path, value, why.join(';'));
}
