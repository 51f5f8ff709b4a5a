import { describe, expect, it } from 'vitest';
import {
  groupName,
  kubernetesVocabulary,
  metaGroup,
  orchVocabulary,
  systemNamespace,
  vocabularies,
} from './vocabulary.ts';

describe('vocabulary', () => {
  it('completes groups of the vendor and leaves other groups unchanged', () => {
    expect(groupName(orchVocabulary, 'rbac.authorization.')).toBe('rbac.authorization.orch.io');
    expect(groupName(kubernetesVocabulary, 'rbac.authorization.')).toBe('rbac.authorization.k8s.io');
    expect(groupName(kubernetesVocabulary, 'apps')).toBe('apps');
    expect(groupName(kubernetesVocabulary, '')).toBe('');
  });

  it('names the group of options and tables', () => {
    expect(metaGroup(orchVocabulary)).toBe('meta.orch.io');
    expect(metaGroup(kubernetesVocabulary)).toBe('meta.k8s.io');
  });

  it('names the system namespaces', () => {
    expect(systemNamespace(orchVocabulary, 'system')).toBe('orch-system');
    expect(systemNamespace(kubernetesVocabulary, 'node-lease')).toBe('kube-node-lease');
  });

  it('lists its presets by name', () => {
    for (const [name, vocabulary] of Object.entries(vocabularies)) expect(vocabulary.name).toBe(name);
  });

  it('reserves its domains', () => {
    for (const { reservedDomains, groupDomain, labelDomain } of Object.values(vocabularies)) {
      expect(reservedDomains).toEqual(expect.arrayContaining([groupDomain, labelDomain]));
    }
  });
});
