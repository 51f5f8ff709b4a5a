import { expect, it } from 'vitest';
import type { ResourceStatus } from '../core/pod-types.ts';
import { deviceHealthErrors } from './device-health.ts';

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
