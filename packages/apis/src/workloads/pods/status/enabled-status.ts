import type { ContainerStatus, PodStatus } from '../../core/pod-types.ts';
import { NO_FEATURES, type UsedFeatures } from '../../inherited/used-features.ts';

/** Members of the status of a container that belong to features which are off by default. */
const disabledMembers = ({ resizing, groupsPolicy }: UsedFeatures): readonly string[] => [
  ...(resizing ? [] : ['resources']),
  'allocatedResources',
  'allocatedResourcesStatus',
  ...(groupsPolicy ? [] : ['user']),
];

/**
 * The status of a pod without the fields of features that are off by default. A write of the status keeps them; each write of anything else
 * of the pod drops them (semantics/verbs#kinds).
 * @param used features that the stored pod uses nevertheless
 */
export function withoutDisabledStatus(submitted: PodStatus, used: UsedFeatures = NO_FEATURES): PodStatus {
  const dropped = [
    ...(used.resizing ? [] : ['resize']),
    ...(used.resourceClaims ? [] : ['resourceClaimStatuses']),
  ];
  const isEnabled = !dropped.some((member) => member in submitted);
  const status = isEnabled ? submitted : withoutMembers(submitted, dropped);
  const changes = {
    ...enabledList('containerStatuses', status.containerStatuses, used),
    ...enabledList('initContainerStatuses', status.initContainerStatuses, used),
    ...enabledList('ephemeralContainerStatuses', status.ephemeralContainerStatuses, used),
  };
  return Object.keys(changes).length === 0 ? status : { ...status, ...changes };
}

function enabledList(
  name: keyof PodStatus,
  statuses: readonly ContainerStatus[] | undefined,
  used: UsedFeatures,
): PodStatus {
  const disabled = disabledMembers(used);
  const isEnabled = (status: ContainerStatus): boolean => !disabled.some((member) => member in status);
  if (!statuses || statuses.every(isEnabled)) return {};
  return {
    [name]: statuses.map((status) => (isEnabled(status) ? status : withoutMembers(status, disabled))),
  };
}

const withoutMembers = <T extends object>(object: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(object).filter(([member]) => !names.includes(member))) as T;
