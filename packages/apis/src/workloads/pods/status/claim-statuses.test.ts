import { runAtOnce } from '@ashlar/core';
import { expect, it } from 'vitest';
import type { PodStatus } from '../../core/pod-types.ts';
import { claimStatusesErrorsSteps } from './claim-statuses.ts';

type Statuses = NonNullable<PodStatus['resourceClaimStatuses']>;

const errorsOf = (resourceClaimStatuses: Statuses, claims: readonly string[] = ['a']): readonly string[] => {
  const spec = { resourceClaims: claims.map((name) => ({ name })) };
  const errors = runAtOnce(claimStatusesErrorsSteps({ resourceClaimStatuses }, spec));
  return errors.map(({ field, message }) => `${field}: ${message}`);
};
const at = 'status.resourceClaimStatuses';
const missing = 'must match the name of an entry in `spec.resourceClaims`';

it.each<[string, Statuses, readonly string[]]>([
  ['each is of a claim of the pod', [{ name: 'a', resourceClaimName: 'b' }], []],
  ['none is of another', [{ name: 'b' }], [`${at}[0].name: Invalid value: "b": ${missing}`]],
  ['none has no name', [{}], [`${at}[0].name: Invalid value: "": ${missing}`]],
  ['none is said twice', [{ name: 'a' }, { name: 'a' }], [`${at}[1].name: Duplicate value: "a"`]],
])('of statuses of resource claims %s', (_, statuses, expected) => {
  expect(errorsOf(statuses)).toEqual(expected);
});

it('a status of a resource claim names an object', () => {
  expect(errorsOf([{ name: 'a', resourceClaimName: 'X_' }])).toEqual([
    expect.stringMatching(/^status\.resourceClaimStatuses\[0\]\.name: Invalid value: "X_": a lowercase/),
  ]);
});

it('statuses of resource claims by the ten thousand are validated with pauses', () => {
  const resourceClaimStatuses = Array.from({ length: 20_000 }, (_, i) => ({ name: `a${i}` }));
  const resourceClaims = resourceClaimStatuses.map(({ name }) => ({ name }));
  expect([...claimStatusesErrorsSteps({ resourceClaimStatuses }, { resourceClaims })].length).toBeGreaterThan(
    20,
  );
});
