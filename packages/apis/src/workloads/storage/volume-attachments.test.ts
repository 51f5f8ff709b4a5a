import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { volumeAttachments } from './volume-attachments.ts';

describe('the status of a volume attachment', () => {
  it('is written without metadata', async () => {
    const resource = new InMemoryResource(volumeAttachments(kubernetesVocabulary));
    const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } };
    await resource.create({ metadata: { name: 'a', labels: { a: 'b' } }, spec });
    const metadata = {
      name: 'a',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      labels: { c: 'd' },
    };
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

  it('is validated with the metadata that are written', async () => {
    const resource = new InMemoryResource(volumeAttachments(kubernetesVocabulary));
    const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } };
    await resource.create({ metadata: { name: 'a' }, spec });
    const named = (object: JsonObject): JsonObject => ({
      ...object,
      metadata: { ...(object.metadata as object), generateName: '*' },
    });
    const causes = await causesOf(resource.change('a', named, 'status'));
    expect(causes.map((cause) => cause.slice(0, 35))).toEqual(
      Array(2).fill('metadata.generateName: Invalid value'.slice(0, 35)),
    );
  });
});

describe('the status of a volume attachment is short', () => {
  const causesWith = async (status: JsonObject): Promise<readonly string[]> => {
    const resource = new InMemoryResource(volumeAttachments(kubernetesVocabulary));
    const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } };
    await resource.create({ metadata: { name: 'a' }, spec });
    return causesOf(resource.change('a', (object) => ({ ...object, status }), 'status'));
  };
  const tooLong = (field: string): string => `status.${field}: Too long: may not be more than 262144 bytes`;

  it('in its errors and metadata, which are checked twice', async () => {
    const long = { message: 'é'.repeat(512) };
    const longer = { message: 'x'.repeat(1025) };
    const short = { attached: true, attachError: long, detachError: long };
    await expect(causesWith(short)).rejects.toThrow('nothing was refused');
    const metadata = { a: 'x'.repeat(262_144) };
    const status = { attached: true, attachmentMetadata: metadata, attachError: longer, detachError: longer };
    const once = ['attachmentMetadata', 'attachError.message', 'detachError.message'].map(tooLong);
    expect(await causesWith(status)).toEqual([...once, ...once]);
  });
});

describe('a volume attachment', () => {
  const refusal = (source: object): Promise<readonly string[]> => {
    const resource = new InMemoryResource(volumeAttachments(kubernetesVocabulary));
    const spec = { attacher: 'a', nodeName: 'n', source: source as JsonObject };
    return causesOf(resource.create({ metadata: { name: 'a' }, spec }));
  };

  it('names a driver with a short name', async () => {
    const resource = new InMemoryResource(volumeAttachments(kubernetesVocabulary));
    const spec = { attacher: 'x'.repeat(64), nodeName: 'n', source: { persistentVolumeName: 'v' } };
    expect(await causesOf(resource.create({ metadata: { name: 'a' }, spec }))).toEqual([
      'spec.attacher: Too long: may not be more than 63 bytes',
    ]);
  });

  it('names a volume', async () => {
    expect(await refusal({ persistentVolumeName: '' })).toContain(
      'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
    );
  });

  it('describes one that a driver knows, and nothing of its place in a cluster', async () => {
    const at = 'spec.source.inlineVolumeSpec';
    const elsewhere = 'may not be specified in the context of inline volumes';
    const inlineVolumeSpec = {
      ...{
        capacity: { storage: '1Gi' },
        claimRef: { name: 'c' },
        storageClassName: 's',
        volumeMode: 'Block',
      },
      ...{ accessModes: ['ReadWriteOnce'], persistentVolumeReclaimPolicy: 'Delete' },
      ...{ nodeAffinity: {}, local: { path: '/x' } },
    };
    expect(await refusal({ inlineVolumeSpec })).toEqual([
      `${at}.claimRef: Forbidden: ${elsewhere}`,
      `${at}.capacity: Forbidden: ${elsewhere}`,
      `${at}.csi: Required value: has to be specified in the context of inline volumes`,
      `${at}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
      `${at}.nodeAffinity: Forbidden: ${elsewhere}`,
      `${at}.nodeAffinity: Required value: Local volume requires node affinity`,
      `${at}.storageClassName: Forbidden: ${elsewhere}`,
      `${at}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`,
    ]);
    const csi = { driver: 'd.example', volumeHandle: 'v' };
    await expect(refusal({ inlineVolumeSpec: { csi, accessModes: ['ReadWriteOnce'] } })).rejects.toThrow(
      'nothing was refused',
    );
  });
});
