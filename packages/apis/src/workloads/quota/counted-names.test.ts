import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it, vi } from 'vitest';
import type { ResourceQuota } from '../resources/quota-types.ts';
import { countedNames } from './counted-names.ts';
import { quotaUsage } from './quota-usage.ts';
import type { QuotaUsage } from './resource-usage.ts';

const usageOf = (resource: string): QuotaUsage =>
  quotaUsage({ group: '', resource }, kubernetesVocabulary) as QuotaUsage;

const quotaOf = (names: readonly string[]): ResourceQuota => ({
  ...{ apiVersion: 'v1', kind: 'ResourceQuota' },
  metadata: { name: 'q', namespace: 'n' },
  status: { hard: Object.fromEntries(names.map((name) => [name, '1'])) },
});

/** Thousands of names of others. */
const others = Array.from({ length: 5_000 }, (_, i) => `count/r${i}.example.com`);

describe('the names by which a quota counts', () => {
  it.each([
    ['configmaps', ['configmaps', 'count/configmaps']],
    ['services', ['services.nodeports', 'count/services']],
    ['pods', ['requests.example.com/gpu', 'cpu', 'hugepages-2Mi']],
    ['persistentvolumeclaims', ['requests.storage', 'fast.storageclass.storage.k8s.io/requests.storage']],
  ])('%s are found among those of others', (resource, names) => {
    const quota = quotaOf([...others, ...names, 'secrets']);
    expect([...countedNames(quota, usageOf(resource))].sort()).toEqual([...names].sort());
    expect(countedNames(quotaOf(others), usageOf(resource))).toEqual([]);
    expect(countedNames({ ...quota, status: {} }, usageOf(resource))).toEqual([]);
  });

  it('are looked for once in a quota, also when what it has counted changes', () => {
    const isCounted = vi.fn(usageOf('pods').isCounted);
    const usage = { ...usageOf('pods'), isCounted };
    const quota = quotaOf([...others, 'pods']);
    for (const used of ['0', '1'])
      expect(countedNames({ ...quota, status: { ...quota.status, used: { pods: used } } }, usage)).toEqual([
        'pods',
      ]);
    expect(isCounted).toHaveBeenCalledTimes(others.length + 1);
  });

  it('are asked for by name where few are possible', () => {
    const isCounted = vi.fn(() => true);
    expect(countedNames(quotaOf([...others, 'secrets']), { ...usageOf('secrets'), isCounted })).toEqual([
      'secrets',
    ]);
    expect(isCounted).not.toHaveBeenCalled();
  });
});
