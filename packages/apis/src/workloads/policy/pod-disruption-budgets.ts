import {
  type ApiObject,
  choiceErrors,
  type FieldError,
  FieldErrors,
  type LabelSelectorObject,
  type Vocabulary,
  validateLabelSelector,
  validatePathSegment,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import { isIn, malformedSelectorValues } from '../inherited/inherited-selectors.ts';
import { atMostAll, countOrPercent } from '../int-or-percent.ts';
import { countErrors } from '../replica-counts.ts';
import { podDisruptionBudgetSchema } from '../shapes/policy/pod-disruption-budget.ts';
import { type StatusCondition, statusConditionErrors } from '../status-conditions.ts';
import { specOf, workloadType } from '../workload-type.ts';

/** How many of the selected pods may be evicted at a time. */
interface PodDisruptionBudget extends ApiObject {
  readonly spec?: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelectorObject;
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly conditions?: readonly StatusCondition[];
  };
}

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

/** Budgets of evictions. */
export function podDisruptionBudgets(_vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'policy',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    scope: 'Namespaced',
    schema: podDisruptionBudgetSchema,
    columns: [
      nameColumn,
      column('Min Available', 'How many must stay.', ({ spec }: PodDisruptionBudget) =>
        String(spec?.minAvailable ?? 'N/A'),
      ),
      column('Max Unavailable', 'How many may be missing.', ({ spec }: PodDisruptionBudget) =>
        String(spec?.maxUnavailable ?? 'N/A'),
      ),
      integerColumn(
        'Allowed Disruptions',
        'How many may leave now.',
        ({ status }: PodDisruptionBudget) => status?.disruptionsAllowed,
      ),
      ageColumn,
    ],
    status: { updateChecks: [], validate: statusErrors },
    counted: specOf,
    inherits: [malformedSelectorValues(isIn('spec.selector'))],
    strategy: {
      updateChecks: [],
      checksMetadataLast: true,
      validateName: validatePathSegment,
      allowsUnconditionalUpdate: false,
      validate,
      validateUpdate: validate,
    },
  });
}

function statusErrors({ status }: PodDisruptionBudget): readonly FieldError[] {
  return [...statusConditionErrors(status?.conditions), ...countErrors(status, COUNTS)];
}

function validate({ spec = {} }: PodDisruptionBudget): readonly FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [FieldErrors.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...countOrPercent('spec.minAvailable', minAvailable),
    ...atMostAll('spec.minAvailable', minAvailable),
    ...countOrPercent('spec.maxUnavailable', maxUnavailable),
    ...atMostAll('spec.maxUnavailable', maxUnavailable),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...choiceErrors('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ];
}
