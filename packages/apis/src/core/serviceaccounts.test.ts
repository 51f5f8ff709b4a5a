import { kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { serviceAccounts } from './serviceaccounts.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(serviceAccounts(kubernetesVocabulary));
});

describe('service accounts', () => {
  it('store only the names of secrets', async () => {
    const stored = await resource.create({
      metadata: { name: 'robot' },
      secrets: [{ name: 'a', kind: 'Secret', uid: 'x' }, { kind: 'y' }],
      imagePullSecrets: [{ name: 'pull' }],
      automountServiceAccountToken: false,
    });
    expect(stored).toMatchObject({
      secrets: [{ name: 'a' }, {}],
      imagePullSecrets: [{ name: 'pull' }],
      automountServiceAccountToken: false,
    });
    expect(resource.cells(stored)).toEqual(['robot', 2, '90s']);
  });

  it('without secrets show a count of 0', async () => {
    expect(resource.cells(await resource.create({ metadata: { name: 'simple' } }))).toEqual([
      'simple',
      0,
      '90s',
    ]);
  });

  it('lose fields that a replacement omits', async () => {
    await resource.create({ metadata: { name: 'robot' }, automountServiceAccountToken: true });
    expect(await resource.replace('robot', { metadata: { name: 'robot' } })).not.toHaveProperty(
      'automountServiceAccountToken',
    );
  });

  it('return themselves when deleted', () => {
    expect(serviceAccounts(kubernetesVocabulary).strategy.returnsDeletedObject).toBe(true);
  });

  it('warn of the deprecated annotation when it is new', async () => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    await resource.create({ metadata: { name: 'robot', annotations } });
    await resource.replace('robot', { metadata: { name: 'robot', annotations } });
    expect(resource.warnings).toEqual([
      'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
    ]);
  });
});
