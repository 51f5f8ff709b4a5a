import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { FormerObjects, withValue } from '../inherited/former-objects.fixture.ts';
import { flowSchemas, priorityLevelConfigurations } from './flow-types.ts';

const types = [
  ['flow schema', flowSchemas, { priorityLevelConfiguration: { name: 'p' } }],
  [
    'priority',
    priorityLevelConfigurations,
    { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
  ],
] as const;

describe.each(types)('a %s', (_, create, spec) => {
  const resource = new InMemoryResource(create(kubernetesVocabulary));
  const object: JsonObject = { metadata: { name: 'a' }, spec };

  it('is updated without a version', async () => {
    const { metadata } = await resource.create(object);
    const labelled = { ...object, metadata: { name: 'a', labels: { a: 'b' } } };
    expect(await resource.replace('a', labelled)).toMatchObject({ metadata: { uid: metadata.uid } });
  });

  it('has a status that is written whatever finalizers are stored', async () => {
    const former = new FormerObjects(create);
    const stored = await former.store(object, (valid) => withValue(valid, 'metadata.finalizers', ['former']));
    const conditions = [{ type: 'A', status: 'True' }];
    const changed = await former.resource.replace('a', withValue(stored, 'status', { conditions }), 'status');
    expect(changed).toMatchObject({ status: { conditions } });
  });

  it('has a status whose patches change no metadata', async () => {
    const patched = await resource.change(
      'a',
      (stored) => ({
        ...stored,
        metadata: { ...(stored.metadata as JsonObject), uid: 'b', labels: { c: 'd' } },
      }),
      'status',
    );
    expect(patched.metadata).toMatchObject({ labels: { a: 'b' } });
    expect(patched.metadata.uid).not.toBe('b');
  });
});
