import type { FieldError, Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import type { PodOwner } from '../core/pod-types.ts';
import { ownerWarnings } from '../core/replication-controllers.ts';
import { nonNegative } from '../field-rules.ts';
import { replicasStatusErrors } from '../replica-counts.ts';
import { scaleView } from '../scale-view.ts';
import { replicaSetSchema } from '../shapes/apps/replica-set.ts';
import { specOf, workloadType } from '../workload-type.ts';
import {
  ownerRules,
  podSelectorColumn,
  selectorErrors,
  templateColumns,
  templateErrors,
} from './pod-owner.ts';

const scale = { group: 'apps', resource: 'replicasets/scale' } as const;

/** A number of equal pods. */
interface ReplicaSet extends PodOwner {
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

/** Replica sets. */
export function replicaSets(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'apps',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: replicaSetSchema,
    rules: podPartRules(vocabulary),
    columns: [
      nameColumn,
      integerColumn('Desired', 'How many there are to be.', ({ spec }: ReplicaSet) => spec?.replicas),
      integerColumn('Current', 'How many there are.', ({ status }: ReplicaSet) => status?.replicas),
      integerColumn('Ready', 'How many are ready.', ({ status }: ReplicaSet) => status?.readyReplicas),
      ageColumn,
      ...templateColumns,
      podSelectorColumn,
    ],
    status: { validate: replicasStatusErrors },
    podSpecAt: ['spec', 'template', 'spec'],
    counted: specOf,
    views: [scaleView({ missing: scale, conflicts: scale }, vocabulary)],
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      ...ownerRules<ReplicaSet>((object) => validate(object, vocabulary)),
      warnings: ownerWarnings(vocabulary),
    },
  });
}

function validate({ spec = {} }: ReplicaSet, vocabulary: Vocabulary): readonly FieldError[] {
  const { replicas, minReadySeconds, selector, template } = spec;
  return [
    ...nonNegative('spec.replicas', replicas),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...selectorErrors(selector, 'deployment'),
    ...templateErrors(template, selector, 'ReplicaSet', vocabulary),
  ];
}
