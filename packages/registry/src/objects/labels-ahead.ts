import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LabelSelectorExpression,
  memberNames,
  type Steps,
  validateAnnotationsAheadSteps,
  validateExpressionsAheadSteps,
  validateLabelsAheadSteps,
} from '@ashlar/core';
import { findLargeValues } from '@ashlar/schema';

/** Fields of labels that objects have or select. */
const LABELS = ['labels', 'matchLabels', 'nodeSelector', 'selector'] as const;

/** Checks large sets of labels, annotations and requirements anywhere in an object with pauses, before the object is validated. */
export function* checkLabelsAheadSteps(object: ApiObject): Steps<void> {
  const large = yield* findLargeValues(object as unknown as JsonValue);
  for (const value of large) {
    if (!isJsonObject(value)) continue;
    for (const name of LABELS) {
      const labels = value[name];
      if (!large.has(labels)) continue;
      yield;
      const isSet = areTexts(labels);
      yield;
      if (isSet) yield* validateLabelsAheadSteps(labels);
    }
    const { annotations, matchExpressions } = value;
    if (large.has(annotations)) {
      yield;
      const isSet = areTexts(annotations);
      yield;
      if (isSet) yield* validateAnnotationsAheadSteps(annotations);
    }
    if (large.has(matchExpressions) && areExpressions(matchExpressions))
      yield* validateExpressionsAheadSteps(matchExpressions);
  }
}

/** Objects of custom types may have anything in fields of these names. */
const areTexts = (labels: JsonValue | undefined): labels is Record<string, string> =>
  isJsonObject(labels) && memberNames(labels).every((name) => isText(labels[name]));

const areExpressions = (
  list: JsonValue | undefined,
): list is JsonValue & readonly LabelSelectorExpression[] =>
  Array.isArray(list) && list.every((each) => isJsonObject(each) && isExpression(each));

const isExpression = ({ key, operator, values = [] }: JsonObject): boolean =>
  isText(key) && isText(operator) && Array.isArray(values) && values.every(isText);

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string';
