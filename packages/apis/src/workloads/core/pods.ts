import type { ApiObject, Vocabulary } from '@ashlar/core';
import {
  type ConnectSubresource,
  type ResourceDefinition,
  SUBRESOURCE_VERBS,
  type SubresourceDefinition,
} from '@ashlar/registry';
import { column, nameColumn } from '../../types/columns.ts';
import { appArmorWarnings, withAppArmorProfiles } from '../app-armor/app-armor-annotations.ts';
import { containerColumns, labelsText } from '../cells.ts';
import { usedFeatures } from '../inherited/used-features.ts';
import { membersInOrder } from '../members-in-order.ts';
import { withoutDisabledFields } from '../pods/disabled-fields.ts';
import { withMergedLabelKeys } from '../pods/merged-label-keys.ts';
import { podTemplateErrors } from '../pods/pod-spec.ts';
import { ephemeralUpdateErrors, podUpdateErrors } from '../pods/pod-updates.ts';
import { podErrors } from '../pods/pod-validation.ts';
import { hostnameWarnings, podWarnings, templateWarnings } from '../pods/pod-warnings.ts';
import { withoutDisabledStatus } from '../pods/status/enabled-status.ts';
import { podStatusErrorsSteps } from '../pods/status/pod-status.ts';
import { podSchema, podTemplateSchema } from '../shapes/core/pod.ts';
import { workloadType } from '../workload-type.ts';
import {
  attachOptions,
  execOptions,
  portForwardOptions,
  proxyOptions,
} from './connections/connection-options.ts';
import {
  addressedPod,
  loggedContainer,
  runningContainer,
  runningPod,
} from './connections/connection-targets.ts';
import { logParameters, requireLogOptions } from './connections/log-options.ts';
import { podBinding } from './pod-binding.ts';
import { podColumns, podRowConditions } from './pod-columns.ts';
import { podPartRules, podRules } from './pod-defaults.ts';
import { podEviction } from './pod-eviction.ts';
import { qosClassOf } from './pod-qos.ts';
import type { Pod, PodTemplateSpec } from './pod-types.ts';

const connections: readonly ConnectSubresource[] = [
  {
    name: 'attach',
    kind: 'PodAttachOptions',
    verbs: ['create', 'get'],
    options: attachOptions,
    target: runningContainer,
  },
  {
    name: 'exec',
    kind: 'PodExecOptions',
    verbs: ['create', 'get'],
    options: execOptions,
    target: runningContainer,
  },
  {
    name: 'log',
    kind: 'Pod',
    verbs: ['get'],
    parameters: logParameters,
    requireParameters: requireLogOptions,
    target: loggedContainer,
  },
  {
    name: 'portforward',
    kind: 'PodPortForwardOptions',
    verbs: ['create', 'get'],
    options: portForwardOptions,
    target: runningPod,
  },
  {
    name: 'proxy',
    kind: 'PodProxyOptions',
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    withPath: true,
    options: proxyOptions('PodProxyOptions'),
    target: addressedPod,
  },
];

const specInOrder = membersInOrder(podSchema.properties?.spec ?? {});

/** Containers added to a running pod. */
const ephemeralContainers = (vocabulary: Vocabulary): SubresourceDefinition => ({
  name: 'ephemeralcontainers',
  verbs: SUBRESOURCE_VERBS,
  prepareForUpdate(submitted: Pod, stored: Pod) {
    const { ephemeralContainers: _, ...spec } = stored.spec ?? {};
    const added = withoutDisabledFields(submitted.spec ?? {}, stored.spec).ephemeralContainers;
    // nobody owns them: the managed fields stay those of the stored pod
    const { resourceVersion } = submitted.metadata;
    return {
      ...withEnabledStatus(stored, stored),
      metadata: { ...stored.metadata, ...(resourceVersion && { resourceVersion }) },
      spec: specInOrder({ ...spec, ...(added && { ephemeralContainers: added }) }),
    };
  },
  updateChecks: ['metadata-change', 'metadata'],
  validateUpdate: (pod, stored) => ephemeralUpdateErrors(pod, stored, vocabulary),
});

/** Pods (semantics/verbs#delete, #subresources, #kinds, semantics/list-and-watch#field-selectors, semantics/tables#built-in-columns). */
export function pods(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: '',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    scope: 'Namespaced',
    schema: podSchema,
    rules: podRules(vocabulary),
    columns: podColumns,
    selectableFields: { names: [...SELECTABLE.keys()], valueOf: selectable },
    status: {
      restoredMetadata: ({ ownerReferences, deletionTimestamp }) => ({ ownerReferences, deletionTimestamp }),
      prepare: keepQosClass,
      validateSteps: (pod: Pod, stored: Pod) => podStatusErrorsSteps(pod, stored, vocabulary),
      resetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
    },
    // only its class is kept
    bringsStatus: true,
    podSpecAt: ['spec'],
    subresources: [ephemeralContainers(vocabulary)],
    actions: [podBinding, podEviction],
    connections,
    rowConditions: podRowConditions,
    strategy: {
      returnsDeletedObject: true,
      graceSeconds,
      prepareForCreate: (pod: Pod) => newPod(withAppArmorProfiles(pod, vocabulary)),
      prepareForUpdate: withEnabledStatus,
      validate: (pod) => podErrors(pod, vocabulary),
      validateUpdate: (pod, stored) => podUpdateErrors(pod, stored, vocabulary),
      submissionWarnings: (pod: Pod) => appArmorWarnings(pod, vocabulary),
      // people hardly change pods themselves
      warnings: (pod: Pod, stored) =>
        stored
          ? []
          : [...hostnameWarnings(pod.metadata, "the Pod's hostname"), ...podWarnings(pod, vocabulary)],
    },
  });
}

const SELECTABLE: ReadonlyMap<string, (pod: Pod) => string | boolean | undefined> = new Map([
  ['spec.nodeName', ({ spec }) => spec?.nodeName],
  ['spec.restartPolicy', ({ spec }) => spec?.restartPolicy],
  ['spec.schedulerName', ({ spec }) => spec?.schedulerName],
  ['spec.serviceAccountName', ({ spec }) => spec?.serviceAccountName],
  ['spec.hostNetwork', ({ spec }) => spec?.hostNetwork ?? false],
  ['status.phase', ({ status }) => status?.phase],
  ['status.podIP', ({ status }) => status?.podIPs?.[0]?.ip],
  // supported, but no pod matches it
  ['status.podIPs', () => undefined],
  ['status.nominatedNodeName', ({ status }) => status?.nominatedNodeName],
] as readonly [string, (pod: Pod) => string | boolean | undefined][]);

const selectable = (pod: Pod, field: string): string => String(SELECTABLE.get(field)?.(pod) ?? '');

function newPod(pod: Pod): ApiObject {
  const spec = withMergedLabelKeys(pod.spec ?? {}, pod.metadata.labels ?? {});
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: pod.metadata.creationTimestamp,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return {
    ...pod,
    spec,
    status: {
      phase: 'Pending',
      ...(spec.schedulingGates?.length && { conditions: [gated] }),
      qosClass: qosClassOf(pod),
    },
  };
}

function withEnabledStatus(pod: Pod, stored: Pod): ApiObject {
  const { status } = pod;
  const enabled = status && withoutDisabledStatus(status, usedFeatures(stored.spec));
  return enabled === status ? pod : { ...pod, status: enabled };
}

function keepQosClass(pod: Pod, stored: Pod): ApiObject {
  const { status = {} } = pod;
  if (status.qosClass || !stored.status?.qosClass) return pod;
  return { ...pod, status: { ...status, qosClass: stored.status.qosClass } };
}

/** Pods without a node and pods that have ended are deleted immediately. */
function graceSeconds({ spec = {}, status = {} }: Pod, requested: number | undefined): number {
  if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

interface PodTemplate extends ApiObject {
  readonly template?: PodTemplateSpec;
}

/** Stored pod templates. */
export function podTemplates(vocabulary: Vocabulary): ResourceDefinition {
  const templateErrors = ({ template = {} }: PodTemplate): ReturnType<typeof podTemplateErrors> =>
    podTemplateErrors(template, vocabulary, 'template');
  return workloadType({
    group: '',
    kind: 'PodTemplate',
    plural: 'podtemplates',
    scope: 'Namespaced',
    schema: podTemplateSchema,
    rules: podPartRules(vocabulary),
    columns: [
      nameColumn,
      ...containerColumns(({ template }: PodTemplate) => template?.spec?.containers ?? []).map(
        ({ priority: _, ...shown }) => shown,
      ),
      column('Pod Labels', 'Labels of its pods.', ({ template }: PodTemplate) =>
        labelsText(template?.metadata?.labels),
      ),
    ],
    podSpecAt: ['template', 'spec'],
    counted: ({ template }) => template,
    strategy: {
      updateChecks: ['metadata-change'],
      returnsDeletedObject: true,
      validate: templateErrors,
      warnings: ({ metadata, template }: PodTemplate, stored) =>
        templateWarnings(template, vocabulary, {
          path: 'template',
          metadata,
          stored: stored?.metadata,
        }),
      validateUpdate: templateErrors,
    },
  });
}
