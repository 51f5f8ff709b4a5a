import { choiceErrors, type FieldError, fieldErrorsOf } from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { forbiddenWhen, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import type { Container } from './container-types.ts';

// What pods of each operating system may say.

/** Each container of a pod with its path, in the order in which they start. */
export function containersOf(
  { initContainers, containers, ephemeralContainers }: PodSpec,
  path: string,
): readonly (readonly [container: Container, path: string])[] {
  const list = (name: string, items: readonly Container[] | null | undefined) =>
    (items ?? []).map((item, index) => [item, `${path}.${name}[${index}]`] as const);
  return [
    ...list('initContainers', initContainers),
    ...list('containers', containers),
    ...list('ephemeralContainers', ephemeralContainers),
  ];
}

/** Errors of what a pod's operating system does not have. */
export function operatingSystemErrors(spec: PodSpec, path: string): readonly FieldError[] {
  if (!spec.os) return NO_ERRORS;
  const { name = '' } = spec.os;
  if (name === '') return requiredWhen(true, `${path}.os.name`, 'cannot be empty');
  if (name === 'linux') return linuxErrors(spec, path);
  return name === 'windows'
    ? windowsErrors(spec, path)
    : choiceErrors(`${path}.os`, name, ['linux', 'windows']);
}

function linuxErrors(spec: PodSpec, path: string): readonly FieldError[] {
  const why = 'windows options cannot be set for a linux pod';
  const at = 'securityContext.windowsOptions';
  return [
    ...forbiddenWhen(spec.securityContext?.windowsOptions !== undefined, `${path}.${at}`, why),
    ...fieldErrorsOf(containersOf(spec, path), ([{ securityContext }, container]) =>
      forbiddenWhen(securityContext?.windowsOptions !== undefined, `${container}.${at}`, why),
    ),
  ];
}

/** Fields that pods on Windows do not have, in the order of their errors. */
const NOT_OF_WINDOWS_PODS: readonly string[] = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
];
const NOT_OF_WINDOWS_CONTAINERS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

function windowsErrors(spec: PodSpec, path: string): readonly FieldError[] {
  const why = 'cannot be set for a windows pod';
  return [
    ...NOT_OF_WINDOWS_PODS.flatMap((field) => forbiddenWhen(isSet(spec, field), `${path}.${field}`, why)),
    ...fieldErrorsOf(containersOf(spec, path), ([{ securityContext = {} }, container]) =>
      NOT_OF_WINDOWS_CONTAINERS.flatMap((field) =>
        forbiddenWhen(securityContext[field] !== undefined, `${container}.securityContext.${field}`, why),
      ),
    ),
  ];
}

/** Whether a field has a value; of switches without a default only `true` is one. */
function isSet(spec: PodSpec, field: string): boolean {
  const [first = '', second] = field.split('.');
  const outer = (spec as Readonly<Record<string, unknown>>)[first];
  if (second === undefined)
    return first === 'hostPID' || first === 'hostIPC' ? outer === true : outer !== undefined;
  const inner = (outer as Readonly<Record<string, unknown>> | undefined)?.[second];
  return inner !== undefined && !(Array.isArray(inner) && inner.length === 0);
}

/** Errors of containers that run as processes of a Windows host: all of a pod do, or none. */
export function hostProcessErrors(spec: PodSpec, path: string): readonly FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = containersOf(spec, path);
  const flags = containers.map(([{ securityContext }]) => securityContext?.windowsOptions?.hostProcess);
  const count = flags.filter((flag) => flag ?? ofPod).length;
  return [
    ...fieldErrorsOf(containers, ([, container], index) =>
      invalidWhen(
        ofPod !== undefined && flags[index] !== undefined && flags[index] !== ofPod,
        `${container}.securityContext.windowsOptions.hostProcess`,
        flags[index],
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      ),
    ),
    ...invalidWhen(
      count > 0 && count !== containers.length,
      path,
      '',
      'If pod contains any hostProcess containers then all containers must be HostProcess containers',
    ),
    ...invalidWhen(
      count > 0 && !spec.hostNetwork,
      `${path}.hostNetwork`,
      false,
      'hostNetwork must be true if pod contains any hostProcess containers',
    ),
  ];
}
