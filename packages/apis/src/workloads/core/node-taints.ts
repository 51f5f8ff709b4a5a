import {
  type FieldError,
  labelValueErrors,
  qualifiedNameErrors,
  requiredChoiceErrors,
  type Steps,
} from '@ashlar/core';
import { eachSteps, follows, invalidWhen } from '../field-rules.ts';

/** What keeps pods off a node, unless they tolerate it. */
export interface Taint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
}

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Errors of the taints of a node. */
export function* taintErrorsSteps(
  taints: readonly Taint[] | undefined,
  list: string,
): Steps<readonly FieldError[]> {
  const seen = new Set<string>();
  return yield* eachSteps(list, taints, ({ key = '', value = '', effect }, path) => {
    const pair = JSON.stringify([key, effect]);
    const isRepeated = seen.has(pair);
    seen.add(pair);
    const why = labelValueErrors(value).join(';');
    return [
      ...follows(`${path}.key`, key, qualifiedNameErrors),
      ...invalidWhen(why !== '', `${path}.value`, value, why),
      ...requiredChoiceErrors(`${path}.effect`, effect, EFFECTS),
      ...(isRepeated ? [repeatedTaint(path)] : []),
    ];
  });
}

const repeatedTaint = (field: string): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: 'Duplicate value: core.Taint{…}: taints must be unique by key and effect pair',
});
