import { type ApiObject, type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import type { PodOwner } from '../core/pod-types.ts';
import { ownerWarnings } from '../core/replication-controllers.ts';
import { nonNegative } from '../field-rules.ts';
import { amountOf, atMostAll, countOrPercent } from '../int-or-percent.ts';
import { availableErrors, collisionErrors, countErrors, withinReplicas } from '../replica-counts.ts';
import { scaleView } from '../scale-view.ts';
import { deploymentSchema } from '../shapes/apps/deployment.ts';
import { workloadType } from '../workload-type.ts';
import {
  ownerRules,
  podSelectorColumn,
  selectorErrors,
  templateColumns,
  templateErrors,
} from './pod-owner.ts';
import { rollbackErrors, withReadableRollback } from './rollback-annotation.ts';
import { type UpdateStrategy, withRollingUpdate } from './rolling-update.ts';

const scale = { group: 'apps', resource: 'deployments/scale' } as const;

/** Equal pods, replaced step by step when their template changes. */
interface Deployment extends PodOwner {
  readonly spec?: NonNullable<PodOwner['spec']> & {
    readonly strategy?: UpdateStrategy;
    readonly revisionHistoryLimit?: number;
    readonly progressDeadlineSeconds?: number;
  };
  readonly status?: {
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** Deployments (semantics/metadata#generation, semantics/verbs#subresources, #kinds, semantics/tables#built-in-columns). */
export function deployments(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'apps',
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: deploymentSchema,
    rules: {
      ...podPartRules(vocabulary),
      'api.apps.v1.Deployment': withReadableRollback,
      'api.apps.v1.DeploymentStrategy': withRollingUpdate,
    },
    columns: [
      nameColumn,
      column(
        'Ready',
        'How many are ready, of those that there are to be.',
        ({ spec, status }: Deployment) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      ),
      column(
        'Up-to-date',
        'How many are made of the current template.',
        ({ status }: Deployment) => status?.updatedReplicas ?? 0,
      ),
      column(
        'Available',
        'How many have been ready for long enough.',
        ({ status }: Deployment) => status?.availableReplicas ?? 0,
      ),
      ageColumn,
      ...templateColumns,
      podSelectorColumn,
    ],
    status: {
      restoredMetadata: ({ labels }) => ({ labels }),
      validate: (object, stored) => [...statusErrors(object), ...collisionErrors(object, stored)],
      resetFields: [['spec'], ['metadata', 'labels']],
    },
    podSpecAt: ['spec', 'template', 'spec'],
    counted: ({ spec, metadata }) => ({ spec, annotations: metadata.annotations ?? {} }),
    views: [scaleView({ missing: scale, conflicts: scale }, vocabulary)],
    strategy: {
      updateChecks: ['metadata-change'],
      ...ownerRules<Deployment>((object) => validate(object, vocabulary)),
      warnings: ownerWarnings(vocabulary),
    },
  });
}

function validate(deployment: Deployment, vocabulary: Vocabulary): readonly FieldError[] {
  const { spec = {} } = deployment;
  const { replicas, selector, template, strategy = {}, minReadySeconds = 0 } = spec;
  const { revisionHistoryLimit, progressDeadlineSeconds: deadline } = spec;
  return [
    ...nonNegative('spec.replicas', replicas),
    ...selectorErrors(selector, 'deployment'),
    ...templateErrors(template, selector, 'ReplicaSet', vocabulary),
    ...strategyErrors(strategy),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', revisionHistoryLimit),
    ...rollbackErrors(deployment),
    ...nonNegative('spec.progressDeadlineSeconds', deadline),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [
          FieldErrors.invalid(
            'spec.progressDeadlineSeconds',
            deadline,
            'must be greater than minReadySeconds',
          ),
        ]
      : []),
  ];
}

function strategyErrors(strategy: UpdateStrategy): readonly FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.strategy';
  if (type === 'Recreate') {
    if (!rollingUpdate) return [];
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return [FieldErrors.forbidden(`${path}.rollingUpdate`, why)];
  }
  if (type !== 'RollingUpdate')
    return [FieldErrors.notSupported(path, strategy, ['Recreate', 'RollingUpdate'])];
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
  const at = `${path}.rollingUpdate`;
  return [
    ...countOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...countOrPercent(`${at}.maxSurge`, maxSurge),
    ...(amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0
      ? [FieldErrors.invalid(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...atMostAll(`${at}.maxUnavailable`, maxUnavailable),
  ];
}

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = object.status as object | undefined;
  const counts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];
  return [
    ...countErrors(status, [
      'observedGeneration',
      'replicas',
      ...counts,
      'unavailableReplicas',
      'collisionCount',
    ]),
    ...withinReplicas(status, counts),
    ...availableErrors(object, 'readyReplicas'),
  ];
}
