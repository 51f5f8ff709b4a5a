import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { compareGroups } from './group-order.ts';

describe('the order of groups', () => {
  it('is that of the reference for built-in groups, in each vocabulary', () => {
    const sorted = ['coordination.', 'apps', 'batch', 'rbac.authorization.', 'events.', 'autoscaling'];
    const expected = ['apps', 'events.', 'autoscaling', 'batch', 'rbac.authorization.', 'coordination.'];
    for (const vocabulary of [kubernetesVocabulary, orchVocabulary]) {
      const full = (name: string): string => (name.endsWith('.') ? name + vocabulary.groupDomain : name);
      expect(sorted.map(full).sort(compareGroups(vocabulary))).toEqual(expected.map(full));
    }
  });

  it('puts the core group first, and groups of users last, by name', () => {
    const groups = ['z.example.com', 'a.example.com', '', 'discovery.orch.io', 'example.com', 'apps'];
    expect(groups.sort(compareGroups(orchVocabulary))).toEqual([
      '',
      'apps',
      'discovery.orch.io',
      'a.example.com',
      'example.com',
      'z.example.com',
    ]);
  });
});
