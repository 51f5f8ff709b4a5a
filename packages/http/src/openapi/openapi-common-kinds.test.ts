import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { inAllGroups } from './openapi-common-kinds.ts';

const own = (group: string) => ({ group, version: 'v1', kind: 'Any' });
const groupsOf = (kinds: readonly { readonly group: string; readonly version: string }[]): string[] =>
  kinds.map(({ group, version }) => `${group}/${version}`);

describe('kinds that all groups have', () => {
  it('are in all groups of the release, in order', () => {
    const kinds = inAllGroups('DeleteOptions', 'built-in', kubernetesVocabulary, own('apps'));
    expect(kinds).toHaveLength(61);
    expect(kinds[0]).toEqual({ group: '', version: 'v1', kind: 'DeleteOptions' });
    const groups = groupsOf(kinds);
    expect(groups).toEqual(groups.toSorted());
    expect(groups).toContain('imagepolicy.k8s.io/v1alpha1');
  });

  it('are not in groups of the server itself for custom types', () => {
    const groups = groupsOf(inAllGroups('DeleteOptions', 'custom', kubernetesVocabulary, own('example.com')));
    expect(groups).toHaveLength(54);
    expect(groups).not.toContain('apiregistration.k8s.io/v1');
    expect(groups).toContain('admissionregistration.k8s.io/v1');
  });

  it('are in the groups of a vocabulary, and in those of a host', () => {
    const groups = groupsOf(inAllGroups('WatchEvent', 'built-in', orchVocabulary, own('host.example.com')));
    expect(groups).toEqual(expect.arrayContaining(['events.orch.io/v1', 'host.example.com/v1']));
    expect(groups).toHaveLength(62);
  });
});
