import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  integerErrorText,
  type JsonObject,
  type JsonValue,
  ParseError,
  parseInt64,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { withCanonicalMetadata } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { withEntry } from '../../types/sorted-map.ts';
import { integerColumn, labelsText } from '../cells.ts';
import { podPartRules } from '../core/pod-defaults.ts';
import type { PodOwner } from '../core/pod-types.ts';
import { nonNegative } from '../field-rules.ts';
import { selectorsWithTemplate } from '../inherited/inherited-pod-faults.ts';
import { amountOf, atMostAll, countOrPercent } from '../int-or-percent.ts';
import { templateWarnings } from '../pods/pod-warnings.ts';
import { collisionErrors, countErrors } from '../replica-counts.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import { daemonSetSchema } from '../shapes/apps/daemon-set.ts';
import { podTemplateSpec } from '../shapes/core/pod-spec.ts';
import { specOf, workloadType } from '../workload-type.ts';
import {
  ownerRules,
  podSelectorColumn,
  selectorErrors,
  templateColumns,
  templateErrors,
} from './pod-owner.ts';
import { type UpdateStrategy, withRollingUpdate } from './rolling-update.ts';

/** A pod on every selected node. */
interface DaemonSet extends PodOwner {
  readonly spec?: NonNullable<PodOwner['spec']> & {
    readonly updateStrategy?: UpdateStrategy;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: Readonly<Record<string, number>>;
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

const count =
  (name: string) =>
  ({ status }: DaemonSet): number | undefined =>
    status?.[name];

/** Daemon sets. */
export function daemonSets(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'apps',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: daemonSetSchema,
    fieldAnnotations: [TEMPLATE_GENERATION],
    rules: {
      ...podPartRules(vocabulary),
      'api.apps.v1.DaemonSet': countedTemplates,
      'api.apps.v1.DaemonSetUpdateStrategy': withRollingUpdate,
    },
    columns: [
      nameColumn,
      integerColumn('Desired', 'How many there are to be.', count('desiredNumberScheduled')),
      integerColumn('Current', 'How many there are.', count('currentNumberScheduled')),
      integerColumn('Ready', 'How many are ready.', count('numberReady')),
      integerColumn(
        'Up-to-date',
        'How many are made of the current template.',
        count('updatedNumberScheduled'),
      ),
      integerColumn('Available', 'How many have been ready for long enough.', count('numberAvailable')),
      column('Node Selector', 'The nodes that it is for.', ({ spec }: DaemonSet) =>
        labelsText(spec?.template?.spec?.nodeSelector),
      ),
      ageColumn,
      ...templateColumns,
      podSelectorColumn,
    ],
    status: {
      prepare: (object, stored) => withTemplateGeneration(object, templateGeneration(stored)),
      validate: (object, stored) => [
        ...countErrors(object.status as object | undefined, COUNTS),
        ...collisionErrors(object, stored),
      ],
    },
    podSpecAt: ['spec', 'template', 'spec'],
    inherits: [selectorsWithTemplate(['spec', 'template', 'spec'])],
    counted: specOf,
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      prepareForCreate: (object) => withTemplateGeneration(object, templateGeneration(object) || 1),
      prepareForUpdate: (object: DaemonSet, stored: DaemonSet) => {
        const before = templateGeneration(stored);
        const isSame = semanticallyEqual(podTemplateSpec, templateOf(object), templateOf(stored));
        return withTemplateGeneration(object, isSame ? before : before + 1);
      },
      ...ownerRules<DaemonSet>((object) => validate(object, vocabulary)),
      warnings: ({ metadata, spec }: DaemonSet, stored) =>
        templateWarnings(spec?.template, vocabulary, {
          path: 'spec.template',
          metadata,
          // only changes of the template count
          stored:
            stored && templateGeneration(stored) === templateGeneration({ metadata } as ApiObject)
              ? metadata
              : undefined,
        }),
    },
  });
}

/** Counts changes of the template, in an annotation that older clients read. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function templateGeneration({ metadata }: ApiObject): number {
  const text = metadata.annotations?.[TEMPLATE_GENERATION] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The count is present from the start. @throws ParseError if the annotation is no number */
export function countedTemplates(set: JsonObject): JsonObject {
  const object = set as unknown as ApiObject;
  const { annotations = {} } = object.metadata;
  const text = annotations[TEMPLATE_GENERATION];
  if (text !== undefined && parseInt64(text) === undefined)
    throw new ParseError(integerErrorText('ParseInt', text));
  if (annotations[TEMPLATE_GENERATION] === `${templateGeneration(object)}`) return set;
  const metadata = {
    ...object.metadata,
    annotations: withEntry(annotations, TEMPLATE_GENERATION, `${templateGeneration(object)}`),
  };
  return { ...set, metadata: metadata as unknown as JsonValue };
}

const templateOf = ({ spec }: DaemonSet): JsonValue => (spec?.template ?? null) as unknown as JsonValue;

function withTemplateGeneration(object: ApiObject, generation: number): ApiObject {
  const annotations = withEntry(object.metadata.annotations ?? {}, TEMPLATE_GENERATION, `${generation}`);
  return withCanonicalMetadata(object, { annotations });
}

function validate({ spec = {} }: DaemonSet, vocabulary: Vocabulary): readonly FieldError[] {
  const { selector, template, minReadySeconds, updateStrategy = {}, revisionHistoryLimit } = spec;
  return [
    ...(selector ? selectorErrors(selector, 'daemonset') : []),
    ...templateErrors(template, selector, 'DaemonSet', vocabulary, 'of parts'),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...strategyErrors(updateStrategy),
    ...nonNegative('spec.revisionHistoryLimit', revisionHistoryLimit),
  ];
}

function strategyErrors(strategy: UpdateStrategy): readonly FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.updateStrategy';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [FieldErrors.notSupported(path, strategy, ['RollingUpdate', 'OnDelete'])];
  if (!rollingUpdate) return [FieldErrors.required(`${path}.rollingUpdate`)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const at = `${path}.rollingUpdate`;
  const both = amountOf(maxUnavailable) !== 0 && amountOf(maxSurge) !== 0;
  const none = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  return [
    ...countOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...countOrPercent(`${at}.maxSurge`, maxSurge),
    ...atMostAll(`${at}.maxUnavailable`, maxUnavailable),
    ...atMostAll(`${at}.maxSurge`, maxSurge),
    ...(both
      ? [FieldErrors.invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(none ? [FieldErrors.required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')] : []),
  ];
}
