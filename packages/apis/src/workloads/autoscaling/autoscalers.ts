import type { ApiObject, FieldError, JsonObject, Vocabulary } from '@ashlar/core';
import { type ResourceDefinition, type Strategy, storageVersion } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { compileDefaults } from '../defaults/schema-defaults.ts';
import { nonNegative } from '../field-rules.ts';
import { horizontalPodAutoscalerSchema } from '../shapes/autoscaling/horizontal-pod-autoscaler.ts';
import { horizontalPodAutoscalerV1Schema } from '../shapes/autoscaling/horizontal-pod-autoscaler-v1.ts';
import { workloadType } from '../workload-type.ts';
import { type AutoscalerConversion, autoscalerConversion } from './autoscaler-conversion.ts';
import type { Autoscaler, Metric, ScalingRules } from './autoscaler-types.ts';
import { autoscalerErrorsSteps } from './autoscaler-validation.ts';
import { metricsText } from './metric-text.ts';

/** Autoscalers in both versions; v2 is stored. */
export function horizontalPodAutoscalers(vocabulary: Vocabulary): ResourceDefinition {
  const { toNew, toOld, withoutAnnotations, annotations } = autoscalerConversion(vocabulary);
  const stored = (object: ApiObject): Autoscaler =>
    object.apiVersion.endsWith('/v1') ? toNew(object) : object;
  const { complete: completeV1 } = compileDefaults(horizontalPodAutoscalerV1Schema);
  const cell =
    <T>(read: (object: Autoscaler) => T) =>
    (object: ApiObject): T =>
      read(stored(object));
  const definition = workloadType({
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    scope: 'Namespaced',
    version: 'v2',
    schema: horizontalPodAutoscalerSchema,
    rules: {
      'api.autoscaling.v2.HorizontalPodAutoscaler': (object) =>
        withoutAnnotations(object as unknown as ApiObject) as unknown as JsonObject,
      'api.autoscaling.v2.HorizontalPodAutoscalerSpec': completeSpec,
    },
    otherVersions: [
      {
        name: 'v1',
        schema: horizontalPodAutoscalerV1Schema,
        complete(object) {
          annotations.requireReadable(object.metadata.annotations);
          return toOld(toNew(completeV1(object)));
        },
        toStorage: toNew,
        fromStorage: toOld,
        fieldAnnotations: annotations.names,
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
      updateChecks: ['metadata-change'],
      validateSteps: (object) => autoscalerErrorsSteps(stored(object), vocabulary),
      validateUpdateSteps: (object) => autoscalerErrorsSteps(stored(object), vocabulary),
    },
  });
  const complete = (object: ApiObject): ApiObject => storageVersion(definition).complete?.(object) ?? object;
  return { ...definition, strategy: preparedAsStored(definition.strategy, { toNew, toOld, complete }) };
}

interface StoredDefaults {
  /** Sets the defaults of the stored version. */
  complete(object: ApiObject): ApiObject;
}

/** Objects of the older version are prepared in the stored one: what they say of their status is also in annotations. */
function preparedAsStored(
  strategy: Strategy,
  { toNew, toOld, complete }: Pick<AutoscalerConversion, 'toNew' | 'toOld'> & StoredDefaults,
): Strategy {
  return {
    ...strategy,
    prepareForCreate(object, user, version) {
      if (version !== 'v1') return strategy.prepareForCreate?.(object, user, version) ?? object;
      const given = toNew(object);
      return toOld(strategy.prepareForCreate?.(given, user, 'v2') ?? given);
    },
    prepareForUpdate(object, stored, version) {
      if (version !== 'v1') return strategy.prepareForUpdate?.(object, stored, version) ?? object;
      const given = toNew(object);
      return toOld(strategy.prepareForUpdate?.(given, toNew(stored), 'v2') ?? given);
    },
    completeStored(object, stored) {
      const completed = strategy.completeStored?.(object, stored) ?? object;
      return object.apiVersion.endsWith('/v1') ? toOld(complete(toNew(completed))) : completed;
    },
  };
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

/** Metrics and behavior of a spec default together. */
export function completeSpec(object: JsonObject): JsonObject {
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

function statusErrors({ status = {} }: Autoscaler): readonly FieldError[] {
  return [
    ...nonNegative('status.currentReplicas', status.currentReplicas),
    ...nonNegative('status.desiredReplicas', status.desiredReplicas),
  ];
}
