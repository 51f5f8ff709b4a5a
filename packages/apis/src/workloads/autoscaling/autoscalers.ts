import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  type JsonObject,
  pathSegmentErrors,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { each, named, nonNegative } from '../field-rules.ts';
import { compileDefaults } from '../schema-defaults.ts';
import { horizontalPodAutoscalerSchema } from '../shapes/autoscaling/horizontal-pod-autoscaler.ts';
import { horizontalPodAutoscalerV1Schema } from '../shapes/autoscaling/horizontal-pod-autoscaler-v1.ts';
import { workloadType } from '../workload-type.ts';
import { autoscalerConversion } from './autoscaler-conversion.ts';
import type { Autoscaler, Metric, ScalingRules } from './autoscaler-types.ts';
import { metricsText } from './metric-text.ts';

/** Autoscalers in both versions; v2 is stored. */
export function horizontalPodAutoscalers(vocabulary: Vocabulary): ResourceDefinition {
  const { toNew, toOld } = autoscalerConversion(vocabulary);
  const stored = (object: ApiObject): Autoscaler =>
    object.apiVersion.endsWith('/v1') ? toNew(object) : object;
  const completeV1 = compileDefaults(horizontalPodAutoscalerV1Schema);
  const cell =
    <T>(read: (object: Autoscaler) => T) =>
    (object: ApiObject): T =>
      read(stored(object));
  return workloadType({
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    scope: 'Namespaced',
    version: 'v2',
    schema: horizontalPodAutoscalerSchema,
    rules: { 'api.autoscaling.v2.HorizontalPodAutoscalerSpec': completeSpec },
    otherVersions: [
      {
        name: 'v1',
        schema: horizontalPodAutoscalerV1Schema,
        complete: (object) => toOld(toNew(completeV1(object))),
        toStorage: toNew,
        fromStorage: toOld,
      },
    ],
    columns: [
      nameColumn,
      column('Reference', 'What it scales.', cell(referenceText)),
      column('Targets', 'What it looks at.', cell(metricsText)),
      column(
        'MinPods',
        'How many there are at least.',
        cell(({ spec }) => String(spec?.minReplicas ?? '<unset>')),
      ),
      column(
        'MaxPods',
        'How many there are at most.',
        cell(({ spec }) => spec?.maxReplicas ?? 0),
      ),
      column(
        'Replicas',
        'How many there are.',
        cell(({ status }) => status?.currentReplicas ?? 0),
      ),
      ageColumn,
    ],
    status: { validate: (object) => statusErrors(stored(object)) },
    strategy: {
      validate: (object) => specErrors(stored(object)),
      validateUpdate: (object) => specErrors(stored(object)),
    },
  });
}

const referenceText = ({ spec }: Autoscaler): string =>
  `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`;

const CPU: Metric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

const PERIOD = 15;

const UP: ScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: PERIOD },
    { type: 'Percent', value: 100, periodSeconds: PERIOD },
  ],
};

const DOWN: ScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: PERIOD }],
};

function completeSpec(object: JsonObject): JsonObject {
  const { metrics, behavior } = object as unknown as NonNullable<Autoscaler['spec']>;
  if (metrics?.length && !behavior) return object;
  return {
    ...object,
    metrics: metrics?.length ? metrics : [CPU],
    ...(behavior && {
      behavior: { scaleUp: { ...UP, ...behavior.scaleUp }, scaleDown: { ...DOWN, ...behavior.scaleDown } },
    }),
  } as unknown as JsonObject;
}

function specErrors({ spec = {} }: Autoscaler): readonly FieldError[] {
  const { minReplicas: least, maxReplicas: most = 0, scaleTargetRef = {}, metrics } = spec;
  return [
    ...(least !== undefined && least < 1
      ? [FieldErrors.invalid('spec.minReplicas', least, 'must be greater than or equal to 1')]
      : []),
    ...(most < 1 ? [FieldErrors.invalid('spec.maxReplicas', most, 'must be greater than 0')] : []),
    ...(least !== undefined && most < least
      ? [FieldErrors.invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...named('spec.scaleTargetRef.kind', scaleTargetRef.kind, pathSegmentErrors),
    ...named('spec.scaleTargetRef.name', scaleTargetRef.name, pathSegmentErrors),
    ...each('spec.metrics', metrics, metricErrors),
    ...(least === 0 && !metrics?.some(({ type }) => type === 'Object' || type === 'External')
      ? [
          FieldErrors.forbidden(
            'spec.metrics',
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
  ];
}

const SOURCES: Readonly<Record<string, keyof Metric>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

function metricErrors(metric: Metric, path: string): readonly FieldError[] {
  const known = Object.keys(SOURCES).sort();
  const unknown = FieldErrors.notSupported(`${path}.type`, metric.type ?? '', known);
  const missing = FieldErrors.required(`${path}.type`, 'must specify a metric source type');
  if (!metric.type) return [missing, unknown, unknown];
  if (!known.includes(metric.type)) return [unknown, unknown];
  const wanted = SOURCES[metric.type ?? ''] as keyof Metric;
  const given = Object.values(SOURCES).filter((source) => metric[source] !== undefined);
  return [
    ...(given.includes(wanted)
      ? []
      : [FieldErrors.required(`${path}.${wanted}`, 'must populate information for the given metric source')]),
    ...given
      .filter((source) => source !== wanted)
      .map((source) =>
        FieldErrors.forbidden(`${path}.${source}`, 'must populate the given metric source only'),
      ),
  ];
}

function statusErrors({ status = {} }: Autoscaler): readonly FieldError[] {
  return [
    ...nonNegative('status.currentReplicas', status.currentReplicas),
    ...nonNegative('status.desiredReplicas', status.desiredReplicas),
  ];
}
