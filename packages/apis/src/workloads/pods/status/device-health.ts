import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  PrintedValue,
  type Steps,
} from '@ashlar/core';
import type { ContainerStatus, PodSpec, PodStatus, ResourceHealth } from '../../core/pod-types.ts';
import { eachSteps, forbiddenWhen, NO_ERRORS } from '../../field-rules.ts';
import type { Container } from '../container-types.ts';

const HEALTH: readonly string[] = ['Healthy', 'Unhealthy', 'Unknown'];
const OF_CLAIMS = 'claim:';

/** Errors of what a node says of the health of the devices of containers, which belong to what these ask for. It pauses: they may be many. */
export function* deviceHealthErrorsSteps(status: PodStatus, spec: PodSpec): Steps<readonly FieldError[]> {
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = status;
  const ofContainers = checksOf('status.containerStatuses', containerStatuses, spec.containers);
  const ofInitial = checksOf('status.initContainerStatuses', initContainerStatuses, spec.initContainers);
  return [
    ...(yield* fieldErrorsOfSteps(ofContainers, (check) => check())),
    ...(yield* fieldErrorsOfSteps(ofInitial, (check) => check())),
    ...(yield* eachSteps('status.ephemeralContainerStatuses', ephemeralContainerStatuses, (container, at) =>
      forbiddenWhen(
        container.allocatedResourcesStatus !== undefined,
        `${at}.allocatedResourcesStatus`,
        'must not be specified in container status',
      ),
    )),
  ];
}

type Check = () => readonly FieldError[];

/** What is checked, one after the other. */
function* checksOf(
  path: string,
  statuses: readonly ContainerStatus[] = [],
  containers: readonly Container[] | null | undefined,
): Iterable<Check> {
  const byName = new Map((containers ?? []).map((container) => [container.name, new Asked(container)]));
  for (const [i, { name, allocatedResourcesStatus = [] }] of statuses.entries())
    for (const [j, { name: resource = '', resources = [] }] of allocatedResourcesStatus.entries()) {
      const at = `${path}[${i}].allocatedResourcesStatus[${j}]`;
      yield () => nameErrors(resource, byName.get(name), `${at}.name`);
      const seen = new Set<string>();
      for (const [k, device] of resources.entries())
        yield () => deviceErrors(device, seen, `${at}.resources[${k}]`);
    }
}

/** What a container asks for. */
class Asked {
  readonly #requests: object;
  readonly #claims: ReadonlySet<string>;

  constructor({ resources: { requests = {}, claims = [] } = {} }: Container) {
    this.#requests = requests;
    this.#claims = new Set(claims.map(({ name, request }) => (request ? `${name}/${request}` : `${name}`)));
  }

  has(name: string): boolean {
    return name.startsWith(OF_CLAIMS)
      ? this.#claims.has(name.slice(OF_CLAIMS.length))
      : Object.hasOwn(this.#requests, name);
  }
}

/** A resource of a container that is not there is not looked for. */
function nameErrors(name: string, asked: Asked | undefined, path: string): readonly FieldError[] {
  if (!asked || asked.has(name)) return NO_ERRORS;
  const why = name.startsWith(OF_CLAIMS)
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  return [FieldErrors.invalid(path, new PrintedValue(name), why)];
}

function deviceErrors(
  { resourceID = '', health = '' }: ResourceHealth,
  seen: Set<string>,
  path: string,
): readonly FieldError[] {
  const isRepeated = seen.has(resourceID);
  seen.add(resourceID);
  return [
    ...choiceErrors(`${path}.health`, health, HEALTH),
    ...(isRepeated ? [FieldErrors.duplicate(`${path}.resourceID`, resourceID)] : NO_ERRORS),
  ];
}
