import { choiceErrors, type FieldError, FieldErrors, PrintedValue } from '@ashlar/core';
import type {
  ContainerStatus,
  PodSpec,
  PodStatus,
  ResourceHealth,
  ResourceStatus,
} from '../core/pod-types.ts';
import { each, forbiddenWhen, NO_ERRORS } from '../field-rules.ts';
import type { Container } from './container-types.ts';

const HEALTH: readonly string[] = ['Healthy', 'Unhealthy', 'Unknown'];
const OF_CLAIMS = 'claim:';

/** Errors of what a node says of the health of the devices of containers, which belong to what they ask for. */
export function deviceHealthErrors(status: PodStatus, spec: PodSpec): readonly FieldError[] {
  const { containers, initContainers } = spec;
  return [
    ...ofContainersErrors('status.containerStatuses', status.containerStatuses, containers),
    ...ofContainersErrors('status.initContainerStatuses', status.initContainerStatuses, initContainers),
    ...each('status.ephemeralContainerStatuses', status.ephemeralContainerStatuses, (container, at) =>
      forbiddenWhen(
        container.allocatedResourcesStatus !== undefined,
        `${at}.allocatedResourcesStatus`,
        'must not be specified in container status',
      ),
    ),
  ];
}

function ofContainersErrors(
  path: string,
  statuses: readonly ContainerStatus[] | undefined,
  containers: readonly Container[] | null | undefined,
): readonly FieldError[] {
  const byName = new Map((containers ?? []).map((container) => [container.name, container]));
  return each(path, statuses, ({ name, allocatedResourcesStatus }, at) =>
    each(`${at}.allocatedResourcesStatus`, allocatedResourcesStatus, (resource, place) => [
      ...nameErrors(resource, byName.get(name), `${place}.name`),
      ...healthErrors(resource.resources, `${place}.resources`),
    ]),
  );
}

/** A resource of a container that is not there is not looked for. */
function nameErrors(
  { name = '' }: ResourceStatus,
  container: Container | undefined,
  path: string,
): readonly FieldError[] {
  if (!container || namesOf(container, name).includes(name)) return NO_ERRORS;
  const why = name.startsWith(OF_CLAIMS)
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  return [FieldErrors.invalid(path, new PrintedValue(name), why)];
}

function namesOf(
  { resources: { requests = {}, claims = [] } = {} }: Container,
  name: string,
): readonly string[] {
  if (!name.startsWith(OF_CLAIMS)) return Object.keys(requests);
  return claims.map((claim) => `${OF_CLAIMS}${claim.name}${claim.request ? `/${claim.request}` : ''}`);
}

function healthErrors(devices: readonly ResourceHealth[] | undefined, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return each(path, devices, ({ resourceID = '', health = '' }, at) => {
    const isRepeated = seen.has(resourceID);
    seen.add(resourceID);
    return [
      ...choiceErrors(`${at}.health`, health, HEALTH),
      ...(isRepeated ? [FieldErrors.duplicate(`${at}.resourceID`, resourceID)] : NO_ERRORS),
    ];
  });
}
