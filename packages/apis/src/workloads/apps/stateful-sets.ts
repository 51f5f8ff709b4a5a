import {
  type ApiObject,
  choiceErrors,
  type FieldError,
  FieldErrors,
  type IntOrString,
  type JsonObject,
  type JsonValue,
  type LabelSelectorObject,
  type Vocabulary,
  validateAnnotations,
  validateDnsLabel,
  validateLabels,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import type { ClaimSpec } from '../core/claim-validation.ts';
import { claimWarnings } from '../core/claim-warnings.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import type { PodOwner, PodTemplateSpec } from '../core/pod-types.ts';
import { deadlineErrors, restartErrors } from '../core/replication-controllers.ts';
import { invalidWhen, nonNegative } from '../field-rules.ts';
import { amountOf, atMostAll, countOrPercent } from '../int-or-percent.ts';
import { podAnnotationsErrors } from '../pods/pod-annotations.ts';
import { templateWarnings } from '../pods/pod-warnings.ts';
import { printedSelector } from '../printed-selector.ts';
import { availableErrors, collisionErrors, countErrors, withinReplicas } from '../replica-counts.ts';
import { scaleView } from '../scale-view.ts';
import { selectedErrors } from '../selected-template.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import { statefulSetSchema } from '../shapes/apps/stateful-set.ts';
import { specOf, workloadType } from '../workload-type.ts';
import { isReadable, ownerRules, selectorErrors, templateColumns } from './pod-owner.ts';

interface UpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: IntOrString };
}

/** Pods with stable names and storage. */
interface StatefulSet extends PodOwner {
  readonly spec?: NonNullable<PodOwner['spec']> & {
    readonly podManagementPolicy?: string;
    readonly volumeClaimTemplates?: readonly { readonly spec?: ClaimSpec }[];
    readonly updateStrategy?: UpdateStrategy;
    readonly ordinals?: { readonly start?: number };
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: string;
      readonly whenScaled?: string;
    };
  };
  readonly status?: { readonly readyReplicas?: number };
}

/** Stateful sets. */
export function statefulSets(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'apps',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: statefulSetSchema,
    rules: {
      ...podPartRules(vocabulary),
      'api.apps.v1.StatefulSetSpec': withNamedClaims,
      'api.apps.v1.StatefulSetUpdateStrategy': rolling,
    },
    columns: [
      nameColumn,
      column(
        'Ready',
        'How many are ready, of those that there are to be.',
        ({ spec, status }: StatefulSet) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      ),
      ageColumn,
      ...templateColumns,
    ],
    status: {
      updateChecks: ['change', 'metadata-change'],
      validate: (object, stored) => [...statusErrors(object), ...collisionErrors(object, stored)],
    },
    podSpecAt: ['spec', 'template', 'spec'],
    counted: specOf,
    views: [scaleView({ conflicts: { group: 'apps', resource: 'statefulsets/scale' } }, vocabulary)],
    strategy: {
      validateName: validateDnsLabel,
      updateChecks: ['metadata-change'],
      prepareForCreate: (object: StatefulSet) => withoutMaxUnavailable(object, undefined),
      prepareForUpdate: withoutMaxUnavailable,
      ...ownerRules<StatefulSet>((object) => validate(object, vocabulary), changeErrors),
      warnings: (object: StatefulSet, stored) => setWarnings(object, stored, vocabulary),
    },
  });
}

/** Updates name the templates of claims in another way. */
function setWarnings(
  { metadata, spec = {} }: StatefulSet,
  stored: ApiObject | undefined,
  vocabulary: Vocabulary,
): readonly string[] {
  const path = 'spec.template';
  const inClaim = stored ? '.Spec' : '';
  return [
    ...templateWarnings(spec.template, vocabulary, { path, metadata, stored: stored?.metadata }),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      claimWarnings(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}]${inClaim}`),
    ),
  ];
}

/** Claim templates are complete objects with kind and version. */
function withNamedClaims(spec: JsonObject): JsonObject {
  const { volumeClaimTemplates: claims } = spec;
  if (!Array.isArray(claims)) return spec;
  const identity = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
  return {
    ...spec,
    volumeClaimTemplates: claims.map((claim: JsonObject) => ({ ...identity, ...claim, ...identity })),
  };
}

/** The gate of `maxUnavailable` is off: only sets that have it already may go on with it. */
function withoutMaxUnavailable(set: StatefulSet, stored: StatefulSet | undefined): StatefulSet {
  const { spec = {} } = set;
  const { maxUnavailable, ...rollingUpdate } = spec.updateStrategy?.rollingUpdate ?? {};
  const had = stored?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
  if (maxUnavailable === undefined || had !== undefined) return set;
  return { ...set, spec: { ...spec, updateStrategy: { ...spec.updateStrategy, rollingUpdate } } };
}

/** A default strategy starts at the first pod. */
function rolling(strategy: JsonObject): JsonObject {
  const { type, rollingUpdate } = strategy;
  return type ? strategy : { ...strategy, type: 'RollingUpdate', rollingUpdate: rollingUpdate ?? {} };
}

function validate({ spec = {} }: StatefulSet, vocabulary: Vocabulary): readonly FieldError[] {
  const { podManagementPolicy: policy, selector, template, replicas, minReadySeconds, ordinals } = spec;
  return [
    ...invalidWhen(
      policy !== 'OrderedReady' && policy !== 'Parallel',
      'spec.podManagementPolicy',
      policy,
      "must be 'OrderedReady' or 'Parallel'",
    ),
    ...strategyErrors(spec.updateStrategy ?? {}),
    ...retentionErrors(spec),
    ...nonNegative('spec.replicas', replicas),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...nonNegative('spec.ordinals.start', ordinals?.start),
    ...selectorErrors(selector, 'statefulset'),
    ...(isReadable(selector)
      ? templateErrors(template ?? {}, selector, vocabulary)
      : [FieldErrors.invalid('spec.selector', printedSelector(selector), '')]),
    ...restartErrors(template?.spec?.restartPolicy, 'spec.template'),
    ...deadlineErrors(template, 'StatefulSet', 'spec.template'),
  ];
}

/** The spec of the template is not looked at: it may mount volumes of claims that are made later. */
function templateErrors(
  template: PodTemplateSpec,
  selector: LabelSelectorObject | null | undefined,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const { labels, annotations } = template.metadata ?? {};
  const path = 'spec.template';
  return [
    ...selectedErrors(selector, template, path),
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...podAnnotationsErrors(annotations ?? {}, template.spec ?? {}, vocabulary, `${path}.annotations`),
  ];
}

function strategyErrors(strategy: UpdateStrategy): readonly FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.updateStrategy';
  if (type === 'RollingUpdate')
    return [
      ...nonNegative(`${path}.rollingUpdate.partition`, rollingUpdate?.partition),
      ...unavailableErrors(rollingUpdate?.maxUnavailable, `${path}.rollingUpdate.maxUnavailable`),
    ];
  if (type !== 'OnDelete')
    return [FieldErrors.invalid(path, strategy, "must be 'RollingUpdate' or 'OnDelete'")];
  return rollingUpdate
    ? [
        FieldErrors.invalid(
          `${path}.rollingUpdate`,
          rollingUpdate,
          "only allowed for updateStrategy 'RollingUpdate'",
        ),
      ]
    : [];
}

/** How many pods may be missing is validated where it is kept. */
function unavailableErrors(value: IntOrString | undefined, path: string): readonly FieldError[] {
  if (value === undefined) return [];
  return [
    ...countOrPercent(path, value),
    ...(amountOf(value) === 0 ? [FieldErrors.invalid(path, value, 'cannot be 0')] : []),
    ...atMostAll(path, value),
  ];
}

function retentionErrors({
  persistentVolumeClaimRetentionPolicy: policy,
}: NonNullable<StatefulSet['spec']>): readonly FieldError[] {
  if (!policy) return [];
  const path = 'spec.persistentVolumeClaimRetentionPolicy';
  return [
    ...choiceErrors(`${path}.whenDeleted`, policy.whenDeleted ?? '', ['Retain', 'Delete']),
    ...choiceErrors(`${path}.whenScaled`, policy.whenScaled ?? '', ['Retain', 'Delete']),
  ];
}

const SPEC = statefulSetSchema.properties?.spec ?? {};

const CHANGEABLE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function changeErrors(object: StatefulSet, stored: StatefulSet): readonly FieldError[] {
  const fixed = ({ spec = {} }: StatefulSet): JsonValue => {
    const {
      replicas: _replicas,
      template: _template,
      updateStrategy: _strategy,
      minReadySeconds: _seconds,
      ordinals: _ordinals,
      persistentVolumeClaimRetentionPolicy: _policy,
      ...rest
    } = spec;
    return rest as unknown as JsonValue;
  };
  const isSame = semanticallyEqual(SPEC, fixed(object), fixed(stored));
  return isSame ? [] : [FieldErrors.forbidden('spec', CHANGEABLE)];
}

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = object.status as object | undefined;
  const counts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
  return [
    ...countErrors(status, ['replicas', ...counts, 'observedGeneration', 'collisionCount']),
    ...withinReplicas(status, counts),
    ...availableErrors(object, 'status.readyReplicas'),
  ];
}
