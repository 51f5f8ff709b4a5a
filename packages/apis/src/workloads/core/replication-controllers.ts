import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { nonConvertibleErrors } from '../apps/non-convertible-fields.ts';
import { containerColumns, integerColumn, labelsText } from '../cells.ts';
import { forbiddenWhen, nonNegative, required } from '../field-rules.ts';
import { podTemplateErrors } from '../pods/pod-spec.ts';
import { hostnameWarnings, templateWarnings } from '../pods/pod-warnings.ts';
import { replicasStatusErrors } from '../replica-counts.ts';
import { scaleView } from '../scale-view.ts';
import { labelledErrorsSteps } from '../selected-template.ts';
import { replicationControllerSchema } from '../shapes/core/replication-controller.ts';
import { specOf, workloadType } from '../workload-type.ts';
import { podPartRules } from './pod-defaults.ts';
import type { PodOwner, PodTemplateSpec } from './pod-types.ts';

/** Keeps a number of equal pods running; its selector is a map of labels. */
interface ReplicationController extends Omit<PodOwner, 'spec'> {
  readonly metadata: ObjectMeta;
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: Omit<NonNullable<PodOwner['spec']>, 'selector'> & {
    readonly selector?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

/** Replication controllers. */
export function replicationControllers(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    defaultPropagation: 'Orphan',
    group: '',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: replicationControllerSchema,
    rules: { ...podPartRules(vocabulary), 'api.core.v1.ReplicationController': withLabels },
    columns: [
      nameColumn,
      integerColumn(
        'Desired',
        'How many there are to be.',
        ({ spec }: ReplicationController) => spec?.replicas,
      ),
      integerColumn(
        'Current',
        'How many there are.',
        ({ status }: ReplicationController) => status?.replicas,
      ),
      integerColumn(
        'Ready',
        'How many are ready.',
        ({ status }: ReplicationController) => status?.readyReplicas,
      ),
      ageColumn,
      ...containerColumns(({ spec }: ReplicationController) => spec?.template?.spec?.containers ?? []),
      wide(
        column('Selector', 'The pods that it selects.', ({ spec }: ReplicationController) =>
          labelsText(spec?.selector),
        ),
      ),
    ],
    selectableFields: {
      names: ['status.replicas'],
      valueOf: ({ status }: ReplicationController) => String(status?.replicas ?? 0),
    },
    status: {
      // one that is written without a template has defaults once it has the stored one
      prepare: (object) => withLabels(object as unknown as JsonObject) as unknown as ApiObject,
      validate: replicasStatusErrors,
    },
    podSpecAt: ['spec', 'template', 'spec'],
    counted: specOf,
    views: [
      scaleView(
        {
          conflicts: { group: '', resource: 'replicationcontrollers/scale' },
          missing: { group: 'autoscaling', resource: 'replicationcontrollers/scale' },
          selectorOf: ({ spec }: ReplicationController) =>
            Object.entries(spec?.selector ?? {})
              .map(([key, value]) => `${key}=${value}`)
              .sort()
              .join(','),
        },
        vocabulary,
      ),
    ],
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      validateSteps: (object) => validateSteps(object, vocabulary),
      *validateUpdateSteps(object: ReplicationController, stored: ReplicationController) {
        const errors = yield* validateSteps(object, vocabulary);
        return [...errors, ...nonConvertibleErrors(object, stored, vocabulary)];
      },
      warnings: ownerWarnings(vocabulary),
    },
  });
}

/** By default, the labels of the template are the selector and the controller's own labels. */
function withLabels(object: JsonObject): JsonObject {
  const { metadata, spec } = object as unknown as ReplicationController;
  const labels = spec?.template?.metadata?.labels;
  if (!labels) return object;
  const isLabelled = Object.keys(metadata.labels ?? {}).length > 0;
  return {
    ...object,
    ...(!isLabelled && { metadata: inMetadata(metadata, labels) }),
    ...(Object.keys(spec?.selector ?? {}).length === 0 && {
      spec: { ...spec, selector: labels } as unknown as JsonValue,
    }),
  } as JsonObject;
}

const inMetadata = (metadata: ObjectMeta, labels: Readonly<Record<string, string>>): JsonValue =>
  ({ ...metadata, labels }) as unknown as JsonValue;

function* validateSteps(
  { spec = {} }: ReplicationController,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const { selector = {}, template, minReadySeconds, replicas } = spec;
  const path = 'spec.template';
  return [
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...required('spec.selector', Object.keys(selector)),
    ...nonNegative('spec.replicas', replicas),
    ...(template
      ? [
          ...(yield* labelledErrorsSteps(selector, template, path)),
          ...podTemplateErrors(template, vocabulary, path),
          ...restartErrors(template.spec?.restartPolicy, path),
          ...deadlineErrors(template, 'ReplicationController', path),
        ]
      : [FieldErrors.required(path)]),
  ];
}

/** Pods that are kept running always restart. */
export function restartErrors(policy: string | undefined, path: string): readonly FieldError[] {
  return policy === 'Always'
    ? []
    : [FieldErrors.notSupported(`${path}.spec.restartPolicy`, policy ?? '', ['Always'])];
}

/** Pods that are kept running have no end. */
export function deadlineErrors(
  template: PodTemplateSpec | undefined,
  kind: string,
  path: string,
): readonly FieldError[] {
  return forbiddenWhen(
    template?.spec?.activeDeadlineSeconds !== undefined,
    `${path}.spec.activeDeadlineSeconds`,
    `activeDeadlineSeconds in ${kind} is not Supported`,
  );
}

/** Names of pods begin with their owner's, and are host names. */
export const ownerWarnings =
  (vocabulary: Vocabulary) =>
  (
    {
      metadata,
      spec,
    }: { readonly metadata: ObjectMeta; readonly spec?: { readonly template?: PodTemplateSpec } },
    stored: { readonly metadata: ObjectMeta } | undefined,
  ): readonly string[] => [
    ...(stored ? [] : hostnameWarnings(metadata, 'Pod names and hostnames')),
    ...templateWarnings(spec?.template, vocabulary, {
      path: 'spec.template',
      metadata,
      stored: stored?.metadata,
    }),
  ];
