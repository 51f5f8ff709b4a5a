import {
  choiceErrors,
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  parseQuantity,
  pathSegmentErrors,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { each, eachSteps, follows, named } from '../field-rules.ts';
import { measuredResourceErrors } from '../resources/resource-names.ts';
import type { Autoscaler, Metric, MetricSource, MetricValue, ScalingRules } from './autoscaler-types.ts';

/** Returns the errors of an autoscaler's spec, in the words of version v2; with pauses, since it may have metrics by the ten thousand. */
export function* autoscalerErrorsSteps(
  { spec = {} }: Autoscaler,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const { minReplicas: least, maxReplicas: most = 0, scaleTargetRef = {}, metrics, behavior } = spec;
  return [
    ...(least !== undefined && least < 1
      ? [FieldErrors.invalid('spec.minReplicas', least, 'must be greater than or equal to 1')]
      : []),
    ...(most < 1 ? [FieldErrors.invalid('spec.maxReplicas', most, 'must be greater than 0')] : []),
    ...(least !== undefined && most < least
      ? [FieldErrors.invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...referenceErrors('spec.scaleTargetRef', scaleTargetRef),
    ...(yield* eachSteps('spec.metrics', metrics, (metric, path) => metricErrors(metric, path, vocabulary))),
    ...(least === 0 && !metrics?.some(({ type }) => type === 'Object' || type === 'External')
      ? [
          FieldErrors.forbidden(
            'spec.metrics',
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
    ...rulesErrors('spec.behavior.scaleUp', behavior?.scaleUp),
    ...rulesErrors('spec.behavior.scaleDown', behavior?.scaleDown),
  ];
}

interface Reference {
  readonly kind?: string;
  readonly name?: string;
}

function referenceErrors(path: string, { kind, name }: Reference): readonly FieldError[] {
  return [
    ...named(`${path}.kind`, kind, pathSegmentErrors),
    ...named(`${path}.name`, name, pathSegmentErrors),
  ];
}

type SourceErrors = (path: string, source: MetricSource, vocabulary: Vocabulary) => readonly FieldError[];

const VALUE = 'averageValue';

/** Sources in the order in which the first given one is validated. */
const SOURCES: ReadonlyMap<string, readonly [keyof Metric, SourceErrors]> = new Map<
  string,
  readonly [keyof Metric, SourceErrors]
>([
  ['Object', ['object', objectErrors]],
  ['External', ['external', externalErrors]],
  ['Pods', ['pods', podsErrors]],
  ['Resource', ['resource', resourceErrors]],
  ['ContainerResource', ['containerResource', containerErrors]],
]);

const TYPES: readonly string[] = [...SOURCES.keys()].sort();

function metricErrors(metric: Metric, path: string, vocabulary: Vocabulary): readonly FieldError[] {
  const { type = '' } = metric;
  const setSources = [...SOURCES.values()].filter(([source]) => metric[source] !== undefined);
  const [first] = setSources;
  const source = first ? first[1](`${path}.${first[0]}`, metric[first[0]] as MetricSource, vocabulary) : [];
  const sourceField = SOURCES.get(type)?.[0];
  const excess = setSources.length > 1 ? setSources.filter(([other]) => other !== sourceField) : [];
  return [
    ...(type ? [] : [FieldErrors.required(`${path}.type`, 'must specify a metric source type')]),
    ...(sourceField === undefined ? betweenUnknown(path, type, source) : source),
    ...(sourceField === undefined || metric[sourceField] !== undefined
      ? []
      : [unpopulatedSource(`${path}.${sourceField}`)]),
    ...excess.map(([other]) =>
      FieldErrors.forbidden(`${path}.${other}`, 'must populate the given metric source only'),
    ),
  ];
}

/** The reference looks at an unknown type twice. */
function betweenUnknown(path: string, type: string, source: readonly FieldError[]): readonly FieldError[] {
  const unknown = FieldErrors.notSupported(`${path}.type`, type, TYPES);
  return [unknown, ...source, unknown];
}

function unpopulatedSource(path: string): FieldError {
  return FieldErrors.required(path, 'must populate information for the given metric source');
}

function objectErrors(
  path: string,
  { describedObject = {}, metric, target = {} }: MetricSource,
): readonly FieldError[] {
  return [
    ...referenceErrors(`${path}.describedObject`, describedObject as Reference),
    ...identifierErrors(`${path}.metric`, metric),
    ...targetErrors(`${path}.target`, target),
    ...(target.value === undefined && target.averageValue === undefined
      ? [FieldErrors.required(`${path}.target.${VALUE}`, 'must set either a target value or averageValue')]
      : []),
  ];
}

function externalErrors(path: string, { metric, target = {} }: MetricSource): readonly FieldError[] {
  const { value, averageValue } = target;
  const none = value === undefined && averageValue === undefined;
  const both = value !== undefined && averageValue !== undefined;
  return [
    ...identifierErrors(`${path}.metric`, metric),
    ...targetErrors(`${path}.target`, target),
    ...(none
      ? [
          FieldErrors.required(
            `${path}.target.${VALUE}`,
            'must set either a target value for metric or a per-pod target',
          ),
        ]
      : []),
    ...(both
      ? [
          FieldErrors.forbidden(
            `${path}.target.value`,
            'may not set both a target value for metric and a per-pod target',
          ),
        ]
      : []),
  ];
}

function podsErrors(path: string, { metric, target = {} }: MetricSource): readonly FieldError[] {
  return [
    ...identifierErrors(`${path}.metric`, metric),
    ...targetErrors(`${path}.target`, target),
    ...(target.averageValue !== undefined
      ? []
      : [FieldErrors.required(`${path}.target.${VALUE}`, 'must specify a positive target averageValue')]),
  ];
}

function resourceErrors(path: string, { name, target = {} }: MetricSource): readonly FieldError[] {
  return [
    ...(name ? [] : [FieldErrors.required(`${path}.name`, 'must specify a resource name')]),
    ...utilizationErrors(`${path}.target`, target),
  ];
}

function containerErrors(
  path: string,
  { name, container, target = {} }: MetricSource,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  return [
    ...(name
      ? measuredResourceErrors(name, vocabulary, `${path}.name`)
      : [FieldErrors.required(`${path}.name`, 'must specify a resource name')]),
    ...(container
      ? follows(`${path}.container`, container, dns1123LabelErrors)
      : [FieldErrors.required(`${path}.container`, 'must specify a container')]),
    ...utilizationErrors(`${path}.target`, target),
  ];
}

function utilizationErrors(path: string, target: MetricValue): readonly FieldError[] {
  const { averageUtilization, averageValue } = target;
  const both = averageUtilization !== undefined && averageValue !== undefined;
  const none = averageUtilization === undefined && averageValue === undefined;
  return [
    ...targetErrors(path, target),
    ...(none
      ? [
          FieldErrors.required(
            `${path}.averageUtilization`,
            'must set either a target raw value or a target utilization',
          ),
        ]
      : []),
    ...(both
      ? [
          FieldErrors.forbidden(
            `${path}.${VALUE}`,
            'may not set both a target raw value and a target utilization',
          ),
        ]
      : []),
  ];
}

function identifierErrors(path: string, metric: MetricSource['metric']): readonly FieldError[] {
  if (!metric?.name) return [FieldErrors.required(`${path}.name`, 'must specify a metric name')];
  const { name } = metric;
  return pathSegmentErrors(name).map((why) => FieldErrors.invalid(`${path}.name`, name, why));
}

function targetErrors(path: string, target: MetricValue): readonly FieldError[] {
  const { type = '', value, averageValue, averageUtilization } = target;
  const isKnown = type === 'Utilization' || type === 'Value' || type === 'AverageValue';
  const why = 'must be either Utilization, Value, or AverageValue';
  return [
    ...(type ? [] : [FieldErrors.required(`${path}.type`, 'must specify a metric target type')]),
    ...(isKnown ? [] : [FieldErrors.invalid(`${path}.type`, type, why)]),
    ...positiveErrors(`${path}.value`, value),
    ...positiveErrors(`${path}.${VALUE}`, averageValue),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [FieldErrors.invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ];
}

const positiveErrors = (path: string, value: string | undefined): readonly FieldError[] =>
  value === undefined || isPositive(value) ? [] : [FieldErrors.invalid(path, value, 'must be positive')];

const isPositive = (value: string | undefined): boolean =>
  value !== undefined && parseQuantity(value).sign === 1;

/** An hour, in seconds. */
const LONGEST_WINDOW = 3600;
/** Half an hour. */
const LONGEST_PERIOD = 1800;

interface Policy {
  readonly type?: string;
  readonly value?: number;
  readonly periodSeconds?: number;
}

function rulesErrors(path: string, rules: ScalingRules | undefined): readonly FieldError[] {
  if (!rules) return [];
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [] } = rules;
  return [
    ...rangeErrors(`${path}.stabilizationWindowSeconds`, window, 0, LONGEST_WINDOW),
    ...choiceErrors(`${path}.selectPolicy`, selectPolicy, ['Disabled', 'Max', 'Min']),
    ...(policies.length > 0
      ? each(`${path}.policies`, policies as readonly Policy[], policyErrors)
      : [FieldErrors.required(`${path}.policies`, 'must specify at least one Policy')]),
  ];
}

function policyErrors(
  { type = '', value = 0, periodSeconds = 0 }: Policy,
  path: string,
): readonly FieldError[] {
  return [
    ...(type === 'Pods' || type === 'Percent'
      ? []
      : [FieldErrors.notSupported(`${path}.type`, type, ['Percent', 'Pods'])]),
    ...rangeErrors(`${path}.value`, value, 1),
    ...rangeErrors(`${path}.periodSeconds`, periodSeconds, 1, LONGEST_PERIOD),
  ];
}

function rangeErrors(
  path: string,
  value: number | undefined,
  least: 0 | 1,
  most?: number,
): readonly FieldError[] {
  if (value === undefined) return [];
  const low = least === 0 ? 'must be greater than or equal to zero' : 'must be greater than zero';
  return [
    ...(value < least ? [FieldErrors.invalid(path, value, low)] : []),
    ...(most !== undefined && value > most
      ? [FieldErrors.invalid(path, value, `must be less than or equal to ${most}`)]
      : []),
  ];
}
