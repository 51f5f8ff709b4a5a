import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { workloadResources } from './workload-resources.ts';

const resources = workloadResources(kubernetesVocabulary);

describe('the workload kinds', () => {
  it('are in the order of registration: the core group, then the others', () => {
    const groups = [...new Set(resources.map(({ group }) => group))];
    expect(groups).toEqual([
      '',
      'apps',
      'autoscaling',
      'batch',
      'certificates.k8s.io',
      'networking.k8s.io',
      'policy',
      'storage.k8s.io',
      'admissionregistration.k8s.io',
      'scheduling.k8s.io',
      'node.k8s.io',
      'discovery.k8s.io',
      'flowcontrol.apiserver.k8s.io',
    ]);
  });

  it('have unique names', () => {
    const names = resources.map(({ group, names: { plural } }) => `${plural}.${group}`);
    expect(new Set(names).size).toBe(names.length);
    const short = resources.flatMap(({ names: { shortNames = [] } }) => shortNames);
    expect(new Set(short).size).toBe(short.length);
  });

  it('take every vendor word from the vocabulary', () => {
    const groups = workloadResources(orchVocabulary).map(({ group }) => group);
    expect(groups.filter((group) => group.includes('k8s'))).toEqual([]);
    expect(groups).toContain('networking.orch.io');
  });

  it('have a name column first, if they have columns', () => {
    for (const { versions } of resources)
      for (const { columns } of versions)
        if (columns) expect(columns[0]).toMatchObject({ name: 'Name', format: 'name' });
  });

  it.each([
    ['Service', { cu: true, uu: true, returned: true }],
    ['Endpoints', { cu: true, uu: true, returned: false }],
    ['ResourceQuota', { cu: false, uu: true, returned: true }],
    ['LimitRange', { cu: true, uu: true, returned: false }],
    ['Node', { cu: false, uu: true, returned: false }],
    ['PodDisruptionBudget', { cu: false, uu: false, returned: false }],
    ['StorageClass', { cu: false, uu: true, returned: true }],
  ])('%s: allowed PUT and DELETE', (kind, { cu, uu, returned }) => {
    const strategy = resources.find(({ names }) => names.kind === kind)?.strategy;
    expect([strategy?.allowsCreateOnUpdate ?? false, strategy?.allowsUnconditionalUpdate]).toEqual([cu, uu]);
    expect(strategy?.returnsDeletedObject ?? false).toBe(returned);
  });
});
