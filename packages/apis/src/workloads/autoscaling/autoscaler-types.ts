import type { ApiObject, JsonObject } from '@ashlar/core';
import type { Condition } from '../core/pod-types.ts';

/** The target or current value of a metric. */
export interface MetricValue {
  readonly type?: string;
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

/** One source of a metric; its type determines the fields. */
export interface MetricSource {
  readonly name?: string;
  readonly container?: string;
  readonly metric?: { readonly name?: string; readonly selector?: JsonObject };
  readonly describedObject?: JsonObject;
  /** Of specifications. */
  readonly target?: MetricValue;
  /** Of statuses. */
  readonly current?: MetricValue;
}

/** A metric of an autoscaler, or its current value. */
export interface Metric {
  readonly type?: string;
  readonly object?: MetricSource;
  readonly pods?: MetricSource;
  readonly resource?: MetricSource;
  readonly containerResource?: MetricSource;
  readonly external?: MetricSource;
}

/** Scaling policies. */
export interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly JsonObject[];
}

/** Scales by metrics, version v2. */
export interface Autoscaler extends ApiObject {
  readonly spec?: {
    readonly scaleTargetRef?: {
      readonly kind?: string;
      readonly name?: string;
      readonly apiVersion?: string;
    };
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
    readonly metrics?: readonly Metric[];
    readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastScaleTime?: string;
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentMetrics?: readonly Metric[] | null;
    readonly conditions?: readonly Condition[];
  };
}

/** The same in version v1, which supports CPU only; the rest is in annotations. */
export interface AutoscalerV1 extends ApiObject {
  readonly spec?: {
    readonly scaleTargetRef?: {
      readonly kind?: string;
      readonly name?: string;
      readonly apiVersion?: string;
    };
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
    readonly targetCPUUtilizationPercentage?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastScaleTime?: string;
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentCPUUtilizationPercentage?: number;
  };
}
