import { describe, expect, it } from 'vitest';
import { deletionConditions, type NamespaceCondition, sameConditions } from './namespace-conditions.ts';

const maps = { group: '', version: 'v1', resource: 'configmaps' };
const leases = { group: 'coordination.orch.io', version: 'v1', resource: 'leases' };
const none = { remaining: [], failures: [] };
const EARLY = '2024-01-01T00:00:00Z';
const LATE = '2024-01-02T00:00:00Z';

const received = (conditions: readonly NamespaceCondition[]): readonly string[] =>
  conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`);

describe('deletionConditions', () => {
  it('are false for an empty namespace', () => {
    const conditions = deletionConditions([], none, EARLY);
    expect(received(conditions)).toEqual([
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining False ContentRemoved: All content successfully removed',
      'NamespaceFinalizersRemaining False ContentHasNoFinalizers: All content-preserving finalizers finished',
    ]);
    expect(conditions.every(({ lastTransitionTime }) => lastTransitionTime === EARLY)).toBe(true);
  });

  it('list remaining content, and the finalizers that hold it', () => {
    const remaining = [
      {
        reference: maps,
        count: 3,
        finalizers: new Map([
          ['b.io/f', 1],
          ['a.io/f', 2],
        ]),
      },
      { reference: leases, count: 1, finalizers: new Map([['a.io/f', 1]]) },
    ];
    expect(received(deletionConditions([], { remaining, failures: [] }, EARLY)).slice(3)).toEqual([
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 3 resource instances, leases.coordination.orch.io has 1 resource instances',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a.io/f in 3 resource instances, b.io/f in 1 resource instances',
    ]);
  });

  it('report what could not be deleted', () => {
    expect(
      received(deletionConditions([], { remaining: [], failures: ['pods: no', 'leases: no'] }, EARLY))[2],
    ).toBe(
      'NamespaceDeletionContentFailure True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: pods: no, leases: no',
    );
  });

  it('keep their time while their status stays', () => {
    const before = deletionConditions([], none, EARLY);
    const remaining = [{ reference: maps, count: 1, finalizers: new Map() }];
    const after = deletionConditions(before, { remaining, failures: [] }, LATE);
    expect(after.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
      EARLY,
      EARLY,
      EARLY,
      LATE,
      EARLY,
    ]);
    const more = deletionConditions(
      after,
      { remaining: [{ ...remaining[0], count: 2 } as (typeof remaining)[0]], failures: [] },
      '',
    );
    expect(more[3]?.lastTransitionTime).toBe(LATE);
  });

  it('are equal regardless of their times', () => {
    const early = deletionConditions([], none, EARLY);
    expect(sameConditions(early, deletionConditions([], none, LATE))).toBe(true);
    expect(sameConditions(early, deletionConditions([], { remaining: [], failures: ['x'] }, EARLY))).toBe(
      false,
    );
    expect(sameConditions([], early)).toBe(false);
  });
});
