import {
  type ApiObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type LabelSelectorObject,
  type Vocabulary,
} from '@ashlar/core';
import { podDisruptionBudgets } from '../../workloads/policy/pod-disruption-budgets.ts';
import { relabelled, type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

/** Disruption budgets before v1, whose empty selector selects no pods. */
export function withdrawnBudgets(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const key = `pdb.${vocabulary.labelDomain}/deprecated-v1beta1-empty-selector-match`;
  const nothing: LabelSelectorObject = { matchExpressions: [{ key, operator: 'Exists' }] };
  const everything: LabelSelectorObject = { matchExpressions: [{ key, operator: 'DoesNotExist' }] };
  return [
    withdrawnVersion(
      podDisruptionBudgets(vocabulary),
      { version: 'v1beta1' },
      {
        toCurrent: (object) =>
          relabelled('policy/v1')(
            withSelector(
              object,
              [
                [{}, nothing],
                [everything, {}],
              ],
              key,
            ),
          ),
        fromCurrent: (object) =>
          relabelled('policy/v1beta1')(
            withSelector(
              object,
              [
                [nothing, {}],
                [{}, everything],
              ],
              key,
            ),
          ),
      },
    ),
  ];
}

type Pair = readonly [LabelSelectorObject, LabelSelectorObject];

/** Replaces a selector that has a counterpart; others lose the label that only counterparts name. */
function withSelector(object: ApiObject, pairs: readonly Pair[], key: string): ApiObject {
  const { spec } = object as ApiObject & {
    readonly spec?: JsonObject & { readonly selector?: LabelSelectorObject };
  };
  const selector = spec?.selector;
  if (!selector) return object;
  const pair = pairs.find(([from]) => same(from, selector));
  return { ...object, spec: { ...spec, selector: pair ? pair[1] : withoutKey(selector, key) } };
}

const same = (a: LabelSelectorObject, b: LabelSelectorObject): boolean =>
  jsonEqual(a as unknown as JsonValue, b as unknown as JsonValue);

function withoutKey(selector: LabelSelectorObject, key: string): LabelSelectorObject {
  const { matchExpressions } = selector;
  if (!matchExpressions?.some((requirement) => requirement.key === key)) return selector;
  return { ...selector, matchExpressions: matchExpressions.filter((requirement) => requirement.key !== key) };
}
