import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type ApiObject, groupName } from '@ashlar/core';
import type { WorkloadAdmissionOptions } from './stored-classes.ts';

/** A class that names a priority of pods. */
interface PriorityClass extends ApiObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}
interface PrioritizedPod extends ApiObject {
  readonly spec?: {
    readonly priority?: number;
    readonly priorityClassName?: string;
    readonly preemptionPolicy?: string;
  };
}

/** The priority of pods without a class, if no class is the default. */
const NO_CLASS: PriorityClass = {
  kind: 'PriorityClass',
  apiVersion: '',
  metadata: { name: '' },
  preemptionPolicy: 'PreemptLowerPriority',
};

/** Gives pods the priority of their class, and lets one class be the default (semantics/admission). */
export function createPodPriority({ vocabulary, stored }: WorkloadAdmissionOptions): AdmissionPlugin {
  const group = groupName(vocabulary, 'scheduling.');
  const classes = (): Promise<readonly PriorityClass[]> => stored('scheduling.', 'priorityclasses');
  return {
    name: 'Priority',
    handles: ({ resource, subresource, operation }) =>
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      ((resource.group === '' && resource.resource === 'pods') ||
        (resource.group === group && resource.resource === 'priorityclasses')),
    async admit(request) {
      if (request.resource.resource !== 'pods') return undefined;
      if (request.operation === 'UPDATE') return withStoredPriority(request);
      const { priorityClassName = '' } = (request.object as PrioritizedPod).spec ?? {};
      return withPriority(request, classFor(request, priorityClassName, await classes()));
    },
    async validate(request) {
      if (request.resource.resource === 'priorityclasses') requireOneDefault(request, await classes());
    },
  };
}

function classFor(request: AdmissionRequest, name: string, classes: readonly PriorityClass[]): PriorityClass {
  if (name === '') return defaultOf(classes) ?? NO_CLASS;
  const found = classes.find(({ metadata }) => metadata.name === name);
  if (!found) throw forbiddenByAdmission(request, `no PriorityClass with name ${name} was found`);
  return found;
}

/** Of several default classes, that with the lowest value counts. */
function defaultOf(classes: readonly PriorityClass[]): PriorityClass | undefined {
  const defaults = classes.filter(({ globalDefault }) => globalDefault);
  return defaults.reduce<PriorityClass | undefined>(
    (lowest, each) => (lowest && (lowest.value ?? 0) <= (each.value ?? 0) ? lowest : each),
    undefined,
  );
}

/** @throws StatusError 403 if the pod itself has another priority */
function withPriority(
  request: AdmissionRequest,
  { metadata, value = 0, preemptionPolicy }: PriorityClass,
): ApiObject {
  const pod = request.object as PrioritizedPod;
  const { spec = {} } = pod;
  if (spec.priority !== undefined && spec.priority !== value)
    throw forbiddenByAdmission(request, mismatchText('integer value of priority', spec.priority, value));
  if (preemptionPolicy && spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy)
    throw forbiddenByAdmission(
      request,
      mismatchText('string value of PreemptionPolicy', spec.preemptionPolicy, preemptionPolicy),
    );
  const named = metadata.name ? { priorityClassName: metadata.name } : {};
  const policy = preemptionPolicy ? { preemptionPolicy } : {};
  return { ...pod, spec: { ...spec, ...named, priority: value, ...policy } } as ApiObject;
}

const mismatchText = (what: string, found: number | string, computed: number | string): string =>
  `the ${what} (${found}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;

/** Keeps the priority of an update that leaves it out; that it does not change is validated. */
function withStoredPriority({ object, oldObject }: AdmissionRequest): ApiObject | undefined {
  const pod = object as PrioritizedPod;
  const { priority, preemptionPolicy } = (oldObject as PrioritizedPod).spec ?? {};
  const retained = {
    ...(pod.spec?.priority === undefined && priority !== undefined && { priority }),
    ...(pod.spec?.preemptionPolicy === undefined && preemptionPolicy !== undefined && { preemptionPolicy }),
  };
  return Object.keys(retained).length === 0
    ? undefined
    : ({ ...pod, spec: { ...pod.spec, ...retained } } as ApiObject);
}

/** @throws StatusError 403 if another class is the default */
function requireOneDefault(request: AdmissionRequest, classes: readonly PriorityClass[]): void {
  const { globalDefault, metadata } = request.object as PriorityClass;
  const current = globalDefault ? defaultOf(classes) : undefined;
  if (!current || (request.operation === 'UPDATE' && current.metadata.name === metadata.name)) return;
  throw forbiddenByAdmission(
    request,
    `PriorityClass ${current.metadata.name} is already marked as default. Only one default can exist`,
  );
}
