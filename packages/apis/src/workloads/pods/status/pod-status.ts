import {
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  MAXIMUM_FIELD_ERRORS,
  qualifiedNameErrors,
  type Steps,
  type Vocabulary,
  validateIpAddress,
} from '@ashlar/core';
import { ipFamilyOf } from '../../addresses/address-range.ts';
import type { Condition, ContainerStatus, Pod, PodSpec, PodStatus } from '../../core/pod-types.ts';
import { each, follows, invalidWhen, NO_ERRORS, unchanged } from '../../field-rules.ts';
import { ListRule } from '../../list-rule.ts';
import { annotationChangesErrors } from '../pod-annotations.ts';
import { claimStatusesErrorsSteps } from './claim-statuses.ts';
import { containerUsersErrorsSteps } from './container-users.ts';
import { deviceHealthErrorsSteps } from './device-health.ts';

/** Errors of a new pod status, found with pauses. */
export function* podStatusErrorsSteps(
  pod: Pod,
  stored: Pod,
  vocabulary: Vocabulary,
): Steps<readonly FieldError[]> {
  const { status = {} } = pod;
  const before = stored.status ?? {};
  const { nominatedNodeName: node } = status;
  yield* addressForms.aheadSteps(status.podIPs);
  yield* addressForms.aheadSteps(status.hostIPs);
  return [
    ...annotationChangesErrors(pod, stored, vocabulary),
    ...conditionsErrors(status.conditions),
    ...(node && node !== before.nominatedNodeName
      ? follows('status.nominatedNodeName', node, dns1123SubdomainErrors)
      : NO_ERRORS),
    ...unchanged('status.qosClass', status.qosClass ?? '', before.qosClass ?? ''),
    ...statesErrors(status, before, stored.spec ?? {}),
    ...(yield* claimStatusesErrorsSteps(status, stored.spec ?? {})),
    ...addressesErrors(status.podIPs, 'status.podIPs'),
    ...hostAddressesErrors(status),
    ...(yield* containerUsersErrorsSteps(status, stored.spec ?? {})),
    ...(yield* deviceHealthErrorsSteps(status, stored.spec ?? {})),
  ];
}

const OF_THE_SYSTEM: readonly string[] = ['PodScheduled', 'Ready', 'Initialized'];

/** These errors name another place. */
function conditionsErrors(conditions: readonly Condition[] | undefined): readonly FieldError[] {
  return each('metadata.conditions', conditions, ({ type = '' }, at) =>
    OF_THE_SYSTEM.includes(type) ? NO_ERRORS : follows(`${at}.Type`, type, qualifiedNameErrors),
  );
}

/** Containers that have ended for good do not run again. */
function statesErrors(status: PodStatus, was: PodStatus, spec: PodSpec): readonly FieldError[] {
  const { restartPolicy } = spec;
  const sidecars = new Set(
    (spec.initContainers ?? [])
      .filter((container) => container.restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const list = (
    name: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
    policy: string | undefined,
    isExempt: (name: string | undefined) => boolean,
  ): readonly FieldError[] => {
    if (policy === 'Always') return NO_ERRORS;
    const stillRunning = countsOfRunning(status[name] ?? []);
    return each(`status.${name}`, was[name], (before, at) =>
      isFinal(before, policy) && !isExempt(before.name)
        ? Array.from({ length: stillRunning.get(before.name) ?? 0 }, () =>
            FieldErrors.forbidden(`${at}.state`, 'may not be transitioned to non-terminated state'),
          )
        : NO_ERRORS,
    );
  };
  return [
    ...list('containerStatuses', restartPolicy, () => false),
    ...list('initContainerStatuses', restartPolicy, (name) => sidecars.has(name)),
    ...list('ephemeralContainerStatuses', 'Never', () => false),
  ];
}

/** How often each name is that of a container that has not ended; no more than errors are listed. */
function countsOfRunning(statuses: readonly ContainerStatus[]): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (const { name, state } of statuses)
    if (!state?.terminated) counts.set(name, Math.min((counts.get(name) ?? 0) + 1, MAXIMUM_FIELD_ERRORS + 1));
  return counts;
}

function isFinal({ state }: ContainerStatus, policy: string | undefined): boolean {
  const { terminated } = state ?? {};
  return terminated !== undefined && !(policy === 'OnFailure' && (terminated.exitCode ?? 0) !== 0);
}

interface Address {
  readonly ip?: string;
}
type Addresses = readonly Address[] | undefined;

/** A pod has at most one address of each family. */
function addressesErrors(addresses: Addresses, path: string): readonly FieldError[] {
  return [
    ...addressForms.errors(path, addresses),
    ...familyErrors(addresses, path),
    ...repeatErrors(addresses, path),
  ];
}

/** The same of its host, whose first address is also a field of its own. */
function hostAddressesErrors({ hostIP = '', hostIPs }: PodStatus): readonly FieldError[] {
  const path = 'status.hostIPs';
  const first = hostIPs?.[0]?.ip ?? '';
  return [
    ...invalidWhen(
      (hostIPs?.length ?? 0) > 0 && hostIP !== first,
      `${path}[0].ip`,
      first,
      'must be equal to `hostIP`',
    ),
    ...addressForms.errors(path, hostIPs),
    ...repeatErrors(hostIPs, path),
    ...familyErrors(hostIPs, path),
  ];
}

const addressForms: ListRule<Address> = new ListRule(({ ip = '' }, path) => validateIpAddress(path, ip));

function repeatErrors(addresses: Addresses, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return each(path, addresses, (address, at) => {
    const { ip = '' } = address;
    const isRepeated = seen.has(ip);
    seen.add(ip);
    return isRepeated ? [FieldErrors.duplicate(at, address)] : NO_ERRORS;
  });
}

function familyErrors(addresses: Addresses = [], path: string): readonly FieldError[] {
  if (addresses.length < 2) return NO_ERRORS;
  const isWrong = ({ ip = '' }: Address): boolean => validateIpAddress(path, ip).length > 0;
  const index = addressForms.errors(path, addresses).length === 0 ? -1 : addresses.findIndex(isWrong);
  // of more than two, the families make no difference
  const families = addresses.slice(0, 2).map(({ ip = '' }) => (index < 0 ? ipFamilyOf(ip) : undefined));
  const isBoth = families.includes('IPv4') && families.includes('IPv6');
  return [
    ...(index < 0
      ? NO_ERRORS
      : [
          FieldErrors.internal(
            path,
            `failed to check for dual stack with error:invalid IP[${index}]: ${addresses[index]?.ip ?? ''}`,
          ),
        ]),
    ...invalidWhen(
      !isBoth || addresses.length > 2,
      path,
      addresses,
      'may specify no more than one IP for each IP family',
    ),
  ];
}
