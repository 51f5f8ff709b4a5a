import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { volumeAttachments } from './volume-attachments.ts';

describe('the status of a volume attachment', () => {
  it('is written without metadata', async () => {
    const resource = new InMemoryResource(volumeAttachments(kubernetesVocabulary));
    const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } };
    await resource.create({ metadata: { name: 'a', labels: { a: 'b' } }, spec });
    const metadata = { name: 'a', deletionTimestamp: '2020-01-01T00:00:00Z', labels: { c: 'd' } };
    const changed = await resource.change(
      'a',
      (object) => ({
        ...object,
        metadata: { ...(object.metadata as object), ...metadata },
        status: { attached: true },
      }),
      'status',
    );
    expect(changed).toMatchObject({ metadata: { labels: { a: 'b' } }, status: { attached: true } });
    expect(changed.metadata).not.toHaveProperty('deletionTimestamp');
  });
});
