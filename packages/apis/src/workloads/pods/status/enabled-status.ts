import type { ContainerStatus, PodStatus } from '../../core/pod-types.ts';

/** Members of the status of a container that belong to features which are off by default. */
const DISABLED: readonly string[] = ['resources', 'allocatedResources', 'allocatedResourcesStatus', 'user'];

/**
 * The status of a pod without the fields of features that are off by default. A write of the status keeps them; each write of anything else
 * of the pod drops them (semantics/verbs#kinds).
 */
export function withoutDisabledStatus(submitted: PodStatus): PodStatus {
  const { resize, resourceClaimStatuses, ...rest } = submitted;
  const isEnabled = resize === undefined && resourceClaimStatuses === undefined;
  const status = isEnabled ? submitted : rest;
  const changes = {
    ...enabledList('containerStatuses', status.containerStatuses),
    ...enabledList('initContainerStatuses', status.initContainerStatuses),
    ...enabledList('ephemeralContainerStatuses', status.ephemeralContainerStatuses),
  };
  return Object.keys(changes).length === 0 ? status : { ...status, ...changes };
}

function enabledList(name: keyof PodStatus, statuses: readonly ContainerStatus[] | undefined): PodStatus {
  const isEnabled = (status: ContainerStatus): boolean => !DISABLED.some((member) => member in status);
  if (!statuses || statuses.every(isEnabled)) return {};
  return { [name]: statuses.map((status) => (isEnabled(status) ? status : withoutDisabled(status))) };
}

const withoutDisabled = (status: ContainerStatus): ContainerStatus =>
  Object.fromEntries(Object.entries(status).filter(([member]) => !DISABLED.includes(member)));
