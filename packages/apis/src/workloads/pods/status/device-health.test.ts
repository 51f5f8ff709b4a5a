import { runAtOnce } from '@ashlar/core';
import { expect, it } from 'vitest';
import type { PodSpec, PodStatus, ResourceStatus } from '../../core/pod-types.ts';
import { deviceHealthErrorsSteps } from './device-health.ts';

const deviceHealthErrors = (status: PodStatus, spec: PodSpec) =>
  runAtOnce(deviceHealthErrorsSteps(status, spec));

const errorsOf = (resources: readonly ResourceStatus[], name = 'c'): readonly string[] =>
  deviceHealthErrors(
    { containerStatuses: [{ name, allocatedResourcesStatus: resources }] },
    {
      containers: [
        {
          name: 'c',
          resources: { requests: { cpu: '1' }, claims: [{ name: 'a', request: 'b' }, { name: 'd' }] },
        },
      ],
    },
  ).map(
    ({ field, message }) =>
      `${field.replace('status.containerStatuses[0].allocatedResourcesStatus', '')} ${message}`,
  );

it('the health of devices is that of what a container asks for', () => {
  const named = (...names: readonly string[]): readonly ResourceStatus[] => names.map((name) => ({ name }));
  expect(errorsOf(named('cpu', 'claim:a/b', 'claim:d'))).toEqual([]);
  expect(errorsOf(named('memory', 'claim:a'))).toEqual([
    "[0].name Invalid value: memory: must match one of the container's resource requests",
    "[1].name Invalid value: claim:a: must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty",
  ]);
  expect(errorsOf(named('memory'), 'other')).toEqual([]);
});

it('the health of a device is told once, in a known word', () => {
  const resources = [{ resourceID: 'x', health: 'Healthy' }, { resourceID: 'x' }];
  expect(errorsOf([{ name: 'cpu', resources }])).toEqual([
    '[0].resources[1].health Unsupported value: "": supported values: "Healthy", "Unhealthy", "Unknown"',
    '[0].resources[1].resourceID Duplicate value: "x"',
  ]);
});

it('ephemeral containers have no devices', () => {
  const ephemeralContainerStatuses = [{ name: 'e', allocatedResourcesStatus: [] }, { name: 'f' }];
  expect(deviceHealthErrors({ ephemeralContainerStatuses }, {})).toEqual([
    expect.objectContaining({ field: 'status.ephemeralContainerStatuses[0].allocatedResourcesStatus' }),
  ]);
});

it('the health of many devices is looked at with pauses, and resources of a container are looked up', () => {
  const requests = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`a.b/c${i}`, '1']));
  const statuses = Array.from({ length: 10_000 }, () => ({ name: 'a.b/c1' }));
  let reads = 0;
  const counted = new Proxy(requests, {
    ownKeys: (target) => {
      reads++;
      return Reflect.ownKeys(target);
    },
  });
  const steps = deviceHealthErrorsSteps(
    { containerStatuses: [{ name: 'c', allocatedResourcesStatus: statuses }] },
    { containers: [{ name: 'c', resources: { requests: counted } }] },
  );
  let pauses = 0;
  while (!steps.next().done) pauses++;
  expect([reads, pauses > 100]).toEqual([0, true]);
});
