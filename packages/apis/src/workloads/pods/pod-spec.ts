import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  qualifiedNameErrors,
  requiredChoiceErrors,
  type Vocabulary,
  validateAnnotations,
  validateLabels,
} from '@ashlar/core';
import { appArmorMatchErrors } from '../app-armor/app-armor-errors.ts';
import type { PodSpec, PodTemplateSpec } from '../core/pod-types.ts';
import {
  each,
  follows,
  forbiddenWhen,
  NO_ERRORS,
  optionalFollows,
  optionalOneOf,
  requiredWhen,
  within,
} from '../field-rules.ts';
import { affinityErrors } from './affinity.ts';
import { hostNetworkErrors } from './container-ports.ts';
import { resourceErrors } from './container-resources.ts';
import { containersErrors } from './container-validation.ts';
import { dnsConfigErrors, hostAliasesErrors } from './name-resolution.ts';
import { hostProcessErrors, operatingSystemErrors } from './operating-system.ts';
import { podAnnotationsErrors } from './pod-annotations.ts';
import { seccompMatchErrors } from './seccomp-annotations.ts';
import { podSecurityContextErrors } from './security-context.ts';
import { tolerationsErrors } from './tolerations.ts';
import { topologySpreadErrors } from './topology-spread.ts';
import { checkVolumes } from './volumes/volumes.ts';

/** Whose spec is validated. */
interface SpecOwner {
  readonly vocabulary: Vocabulary;
  /** The name of a pod; templates have none. */
  readonly podName?: string;
  readonly isPod?: boolean;
}

const NO_CLAIMS: ReadonlySet<string> = new Set();
const LONGEST_DEADLINE = 2_147_483_647;

/** Errors of a pod spec, at any path. */
export function podSpecErrors(spec: PodSpec, owner: SpecOwner, path: string): readonly FieldError[] {
  const { vocabulary, podName, isPod = false } = owner;
  const volumes = checkVolumes(spec.volumes, podName, `${path}.volumes`);
  const context = { vocabulary, volumes: volumes.sources, claims: NO_CLAIMS };
  return [
    ...requiredWhen(
      spec.terminationGracePeriodSeconds === undefined,
      `${path}.terminationGracePeriodSeconds`,
    ),
    ...volumes.errors,
    ...containersErrors(spec, context, path),
    ...(spec.hostNetwork ? hostNetworkErrors(spec.containers, isPod, `${path}.containers`) : NO_ERRORS),
    ...policiesErrors(spec, path),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...podSecurityContextErrors(spec, `${path}.securityContext`),
    ...affinityErrors(spec.affinity, `${path}.affinity`),
    ...dnsConfigErrors(spec.dnsConfig, spec.dnsPolicy, `${path}.dnsConfig`),
    ...gatesErrors(spec, path),
    ...topologySpreadErrors(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...hostProcessErrors(spec, path),
    ...namesErrors(spec, path),
    ...tolerationsErrors(spec.tolerations, `${path}.tolerations`),
    ...hostAliasesErrors(spec.hostAliases, `${path}.hostAliases`),
    ...classesErrors(spec, vocabulary, path),
    ...operatingSystemErrors(spec, path),
  ];
}

function policiesErrors({ restartPolicy, dnsPolicy }: PodSpec, path: string): readonly FieldError[] {
  return [
    ...requiredChoiceErrors(`${path}.restartPolicy`, restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...requiredChoiceErrors(`${path}.dnsPolicy`, dnsPolicy, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
  ];
}

/** What a pod waits for before it is scheduled, and before it is ready. */
function gatesErrors({ readinessGates, schedulingGates }: PodSpec, path: string): readonly FieldError[] {
  const names = new Set<string>();
  return [
    ...each(`${path}.readinessGates`, readinessGates, ({ conditionType = '' }, at) =>
      follows(`${at}.conditionType`, conditionType, qualifiedNameErrors),
    ),
    ...each(`${path}.schedulingGates`, schedulingGates, ({ name = '' }, at) => {
      const isRepeated = names.has(name);
      names.add(name);
      return [
        ...follows(at, name, qualifiedNameErrors),
        ...(isRepeated ? [FieldErrors.duplicate(at, name)] : NO_ERRORS),
      ];
    }),
  ];
}

function namesErrors(spec: PodSpec, path: string): readonly FieldError[] {
  return [
    ...optionalFollows(`${path}.serviceAccountName`, spec.serviceAccountName, dns1123SubdomainErrors),
    ...optionalFollows(`${path}.nodeName`, spec.nodeName, dns1123SubdomainErrors),
    ...within(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1, LONGEST_DEADLINE),
    ...optionalFollows(`${path}.hostname`, spec.hostname, dns1123LabelErrors),
    ...optionalFollows(`${path}.subdomain`, spec.subdomain, dns1123LabelErrors),
  ];
}

function classesErrors(spec: PodSpec, vocabulary: Vocabulary, path: string): readonly FieldError[] {
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead } = spec;
  return [
    ...optionalFollows(`${path}.priorityClassName`, priorityClassName, dns1123SubdomainErrors),
    ...(runtimeClassName === undefined
      ? NO_ERRORS
      : follows(`${path}.runtimeClassName`, runtimeClassName, dns1123SubdomainErrors)),
    ...optionalOneOf(`${path}.preemptionPolicy`, preemptionPolicy, ['PreemptLowerPriority', 'Never']),
    ...(overhead
      ? resourceErrors({ limits: overhead }, { vocabulary, claims: NO_CLAIMS }, `${path}.overhead`)
      : NO_ERRORS),
  ];
}

/** Errors of a pod template. */
export function podTemplateErrors(
  template: PodTemplateSpec,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  const { metadata = {}, spec = {} } = template;
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...podAnnotationsErrors(metadata.annotations ?? {}, spec, vocabulary, `${path}.annotations`),
    ...podSpecErrors(spec, { vocabulary }, `${path}.spec`),
    ...seccompMatchErrors(metadata.annotations ?? {}, spec, vocabulary, `${path}.spec`),
    ...appArmorMatchErrors(metadata.annotations ?? {}, spec, vocabulary, `${path}.spec`),
    ...forbiddenWhen(
      (spec.ephemeralContainers?.length ?? 0) > 0,
      `${path}.spec.ephemeralContainers`,
      'ephemeral containers not allowed in pod template',
    ),
  ];
}
