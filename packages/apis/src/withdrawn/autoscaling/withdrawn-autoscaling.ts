import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Vocabulary,
  withMetadata,
} from '@ashlar/core';
import { printed } from '../../types/schema-fields.ts';
import { withEntry } from '../../types/sorted-map.ts';
import { oldBehavior, readBehavior } from '../../workloads/autoscaling/annotated-behavior.ts';
import { autoscalerConversion, without } from '../../workloads/autoscaling/autoscaler-conversion.ts';
import type { Autoscaler, Metric } from '../../workloads/autoscaling/autoscaler-types.ts';
import { autoscalerErrorsSteps } from '../../workloads/autoscaling/autoscaler-validation.ts';
import { completeSpec, horizontalPodAutoscalers } from '../../workloads/autoscaling/autoscalers.ts';
import { type MetricSide, toNewMetric, toOldMetric } from '../../workloads/autoscaling/metric-conversion.ts';
import { compileDefaults } from '../../workloads/defaults/schema-defaults.ts';
import { horizontalPodAutoscalerSchema } from '../../workloads/shapes/autoscaling/horizontal-pod-autoscaler.ts';
import { oldMetricSpec, oldMetricStatus } from '../../workloads/shapes/autoscaling/old-metrics.ts';
import { type FieldChanges, type Fields, revisedSchema, withFields } from '../revised-schema.ts';
import { relabelled, type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

/** Autoscalers between v1 and v2. */
export function withdrawnAutoscaling(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const current = horizontalPodAutoscalers(vocabulary);
  const { withoutAnnotations, annotations } = autoscalerConversion(vocabulary);
  const annotation = `autoscaling.alpha.${vocabulary.labelDomain}/behavior`;
  const toCurrent = (object: ApiObject): ApiObject => toNewVersion(object, annotation);
  const fromCurrent = (object: ApiObject): ApiObject => toOldVersion(object, annotation);
  const { complete: completeOld } = compileDefaults(revisedSchema(horizontalPodAutoscalerSchema, OLD), {
    'api.autoscaling.v2.HorizontalPodAutoscalerSpec': completeOldSpec,
  });
  return [
    withdrawnVersion(
      current,
      { version: 'v2beta1' },
      {
        schema: revisedSchema(horizontalPodAutoscalerSchema, OLD, renamed('v2beta1')),
        // the annotation is read and written again
        complete(object) {
          annotations.requireReadable(object.metadata.annotations);
          return withPrintedStatus(fromCurrent(toCurrent(completeOld(object))), object);
        },
        toCurrent,
        fromCurrent,
        // what the annotation says has no defaults
        createErrors: (object) => runAtOnce(autoscalerErrorsSteps(toCurrent(object), vocabulary)),
      },
    ),
    withdrawnVersion(
      current,
      { version: 'v2beta2' },
      {
        schema: revisedSchema(horizontalPodAutoscalerSchema, PRINTED, renamed('v2beta2')),
        complete: compileDefaults(revisedSchema(horizontalPodAutoscalerSchema, PRINTED), {
          'api.autoscaling.v2.HorizontalPodAutoscaler': (object) =>
            withoutAnnotations(object as unknown as ApiObject) as unknown as JsonObject,
          'api.autoscaling.v2.HorizontalPodAutoscalerSpec': completeSpec,
        }).complete,
        toCurrent: (object) => relabelled('autoscaling/v2')(withoutPrinted(object)),
        fromCurrent: (object) => relabelled('autoscaling/v2beta2')(withPrinted(object)),
      },
    ),
  ];
}

const renamed = (version: string): readonly [string, string] => [
  'api.autoscaling.v2.',
  `api.autoscaling.${version}.`,
];

/** Counts and conditions of the status are always there. */
const printedStatus = ({ currentReplicas, conditions, ...fields }: Fields): Fields => ({
  ...fields,
  ...(currentReplicas && { currentReplicas: printed(currentReplicas) }),
  ...(conditions && { conditions: printed(conditions) }),
});

const PRINTED: FieldChanges = { 'api.autoscaling.v2.HorizontalPodAutoscalerStatus': printedStatus };

const OLD: FieldChanges = {
  'api.autoscaling.v2.HorizontalPodAutoscalerSpec': ({ behavior: _, ...fields }) =>
    withFields({ metrics: { ...(fields.metrics as Fields[string]), items: oldMetricSpec } })(fields),
  'api.autoscaling.v2.HorizontalPodAutoscalerStatus': (fields) =>
    printedStatus({
      ...fields,
      currentMetrics: { ...(fields.currentMetrics as Fields[string]), items: oldMetricStatus },
    }),
};

const CPU: JsonObject = { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } };

const completeOldSpec = (spec: JsonObject): JsonObject =>
  Array.isArray(spec.metrics) && spec.metrics.length > 0 ? spec : { ...spec, metrics: [CPU] };

const withoutPrinted = (object: ApiObject): ApiObject => {
  const { status } = object as Autoscaler;
  if (!status) return object;
  const { currentReplicas, conditions, ...rest } = status;
  return {
    ...object,
    status: {
      ...rest,
      ...(currentReplicas && { currentReplicas }),
      ...(conditions?.length && { conditions }),
    },
  } as ApiObject;
};

const withPrinted = (object: ApiObject): ApiObject => {
  const { status = {} } = object as Autoscaler;
  const { currentReplicas = 0, conditions = null } = status;
  return { ...object, status: { ...status, currentReplicas, conditions } } as ApiObject;
};

/** An empty list of conditions stays one. */
function withPrintedStatus(object: ApiObject, original: ApiObject): ApiObject {
  const { conditions } = ((original as Autoscaler).status ?? {}) as { readonly conditions?: JsonValue };
  if (!Array.isArray(conditions) || conditions.length > 0) return object;
  return { ...object, status: { ...(object.status as object), conditions } } as ApiObject;
}

const changed = (
  list: JsonValue | undefined,
  side: MetricSide,
  change: (metric: never, side: MetricSide) => JsonObject | Metric,
): JsonValue | undefined =>
  Array.isArray(list) ? (list.map((metric) => change(metric as never, side)) as unknown as JsonValue) : list;

function toNewVersion(object: ApiObject, annotation: string): ApiObject {
  const { metrics, ...spec } = (object.spec ?? {}) as JsonObject;
  const { currentMetrics, ...status } = (withoutPrinted(object).status ?? {}) as JsonObject;
  const behavior = readBehavior(object.metadata.annotations?.[annotation]);
  return relabelled('autoscaling/v2')({
    ...without(object, [annotation]),
    spec: {
      ...spec,
      ...(metrics !== undefined && { metrics: changed(metrics, 'target', toNewMetric) }),
      ...(behavior && { behavior }),
    },
    status: { ...status, currentMetrics: changed(currentMetrics, 'current', toNewMetric) ?? null },
  } as ApiObject);
}

function toOldVersion(object: ApiObject, annotation: string): ApiObject {
  const { metrics, behavior, ...spec } = (object.spec ?? {}) as JsonObject;
  const { currentMetrics, ...status } = (withPrinted(object).status ?? {}) as JsonObject;
  const annotated = isJsonObject(behavior ?? null)
    ? withMetadata(object, {
        annotations: withEntry(
          object.metadata.annotations ?? {},
          annotation,
          JSON.stringify(oldBehavior(behavior as NonNullable<NonNullable<Autoscaler['spec']>['behavior']>)),
        ),
      })
    : object;
  return relabelled('autoscaling/v2beta1')({
    ...annotated,
    spec: { ...spec, ...(metrics !== undefined && { metrics: changed(metrics, 'target', toOldMetric) }) },
    status: { ...status, currentMetrics: changed(currentMetrics, 'current', toOldMetric) ?? null },
  } as ApiObject);
}
