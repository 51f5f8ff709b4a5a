import type { ApiObject, FieldError, Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import type { PodOwner } from '../core/pod-types.ts';
import { podNameWarnings } from '../core/replication-controllers.ts';
import { nonNegative, unchanged } from '../field-rules.ts';
import { scaleView } from '../scale-view.ts';
import { replicaSetSchema } from '../shapes/apps/replica-set.ts';
import { specOf, workloadType } from '../workload-type.ts';
import {
  availableErrors,
  countErrors,
  podSelectorColumn,
  selectorErrors,
  templateColumns,
  templateErrors,
  withinReplicas,
} from './pod-owner.ts';

/** A number of equal pods. */
interface ReplicaSet extends PodOwner {
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

/** Replica sets. */
export function replicaSets(_vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'apps',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: replicaSetSchema,
    rules: podPartRules,
    columns: [
      nameColumn,
      integerColumn('Desired', 'How many there are to be.', ({ spec }: ReplicaSet) => spec?.replicas),
      integerColumn('Current', 'How many there are.', ({ status }: ReplicaSet) => status?.replicas),
      integerColumn('Ready', 'How many are ready.', ({ status }: ReplicaSet) => status?.readyReplicas),
      ageColumn,
      ...templateColumns,
      podSelectorColumn,
    ],
    status: { validate: statusErrors },
    counted: specOf,
    views: [scaleView({ missing: { group: 'apps', resource: 'replicasets/scale' } })],
    strategy: {
      validate,
      validateUpdate: (object: ReplicaSet, stored: ReplicaSet) => [
        // validated as a whole and as a change, and reported twice
        ...validate(object),
        ...validate(object),
        ...unchanged('spec.selector', object.spec?.selector, stored.spec?.selector),
      ],
      warnings: podNameWarnings,
    },
  });
}

function validate({ spec = {} }: ReplicaSet): readonly FieldError[] {
  const { replicas, minReadySeconds, selector, template } = spec;
  return [
    ...nonNegative('spec.replicas', replicas),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...selectorErrors(selector, 'deployment'),
    ...templateErrors(template, selector, 'ReplicaSet'),
  ];
}

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = object.status as object | undefined;
  const counts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
  return [
    ...countErrors(status, ['replicas', ...counts, 'observedGeneration']),
    ...withinReplicas(status, counts),
    ...availableErrors(object, 'readyReplicas'),
  ];
}
