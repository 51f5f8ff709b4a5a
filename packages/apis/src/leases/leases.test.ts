import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { leases } from './leases.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(leases(kubernetesVocabulary));
});

describe('leases', () => {
  it('belong to the coordination group of the vocabulary', () => {
    expect(leases(orchVocabulary).group).toBe('coordination.orch.io');
  });

  it('always have a spec, which may be empty', async () => {
    expect(await resource.create({ metadata: { name: 'a' } })).toMatchObject({ spec: {} });
    const held = await resource.create({ metadata: { name: 'b' }, spec: { holderIdentity: '' } });
    expect(held.spec).toEqual({ holderIdentity: '' });
  });

  it('preserve microseconds, in UTC', async () => {
    const spec = {
      renewTime: '2024-01-02T04:04:05.000000+01:00',
      acquireTime: '2024-01-02T03:04:05.123456Z',
    };
    const stored = await resource.create({ metadata: { name: 'a' }, spec });
    expect(stored.spec).toEqual({
      acquireTime: '2024-01-02T03:04:05.123456Z',
      renewTime: '2024-01-02T03:04:05.000000Z',
    });
  });

  it('are created by PUT, and replaced only with a version', async () => {
    const made = await resource.replace('a', { metadata: { name: 'a' }, spec: { holderIdentity: 'one' } });
    expect(resource.cells(made)).toEqual(['a', 'one', '90s']);
    await expect(resource.replace('a', { metadata: { name: 'a' } })).rejects.toThrow(
      'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    );
    const { resourceVersion = '' } = made.metadata;
    const accepted = await resource.replace('a', {
      metadata: { name: 'a', resourceVersion },
      spec: { holderIdentity: 'two' },
    });
    expect(accepted.spec).toEqual({ holderIdentity: 'two' });
  });

  it('reject durations that are not positive and negative counts', async () => {
    const refused = resource.create({
      metadata: { name: 'a' },
      spec: { leaseDurationSeconds: 0, leaseTransitions: -2 },
    });
    expect(await causesOf(refused)).toEqual([
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -2: must be greater than or equal to 0',
    ]);
  });

  it('accept finalizers without a domain', async () => {
    const stored = await resource.create({ metadata: { name: 'a', finalizers: ['plain'] } });
    expect(stored.metadata.finalizers).toEqual(['plain']);
  });

  it('do not support coordinated elections', async () => {
    const spec = { strategy: 'OldestEmulationVersion', preferredHolder: 'x', holderIdentity: 'y' };
    expect((await resource.create({ metadata: { name: 'a' }, spec })).spec).toEqual({ holderIdentity: 'y' });
  });
});
