import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { persistentVolumes } from './persistent-volumes.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(persistentVolumes(kubernetesVocabulary));
});

const volume = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'a' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
});

const NFS = { nfs: { server: 'a', path: '/b' } };

const onNodes = (key: string, value = 'x'): JsonObject => ({
  ...NFS,
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
  },
});

describe('persistent volumes', () => {
  it('have short portals of disks that name their initiator', async () => {
    const iscsi = {
      targetPortal: 'é'.repeat(32),
      iqn: 'iqn.2015-02.example.com:a',
      initiatorName: 'iqn.2015-02.example.com:b',
      lun: 0,
    };
    expect(await causesOf(resource.create(volume({ iscsi })))).toEqual([
      `spec.iscsi.targetportal: Invalid value: "${iscsi.targetPortal}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    ]);
    await resource.create(volume({ iscsi: { ...iscsi, targetPortal: 'e'.repeat(62) } }));
  });

  it('name the secret of a disk before its initiator', async () => {
    const iscsi = { targetPortal: 'a', iqn: 'x', initiatorName: 'y', lun: 0, secretRef: {} };
    const found = await causesOf(resource.create(volume({ iscsi })));
    expect(found.map((cause) => cause.split(':', 1)[0])).toEqual([
      'spec.iscsi.iqn',
      'spec.iscsi.secretRef.name',
      'spec.iscsi.initiatorname',
    ]);
  });

  it.each(['/', '//', '/./', '/..'])('are not recycled at the root %s', async (path) => {
    const found = await causesOf(
      resource.create(volume({ hostPath: { path }, persistentVolumeReclaimPolicy: 'Recycle' })),
    );
    expect(found.at(-1)).toMatch("may not be 'recycle' for a hostPath mount of '/'");
  });

  it.each(['/...', '/.a', '/a/./b'])('may be recycled at %s', async (path) => {
    await resource.create(volume({ hostPath: { path }, persistentVolumeReclaimPolicy: 'Recycle' }));
  });

  it.each([
    ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
    ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
    ['beta.kubernetes.io/os', 'kubernetes.io/os'],
    ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
    ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ])('may take the new name of the label %s', async (before, after) => {
    await resource.create(volume(onNodes(before)));
    const replace = (key: string, value?: string) => resource.replace('a', volume(onNodes(key, value)));
    expect(await causesOf(replace(after, 'y'))).toEqual([
      expect.stringContaining('nodeAffinity: Invalid value'),
    ]);
    expect((await replace(after)).spec).toMatchObject(onNodes(after));
    expect(await causesOf(replace(before))).toHaveLength(1);
  });

  it('report an annotation that their source does not have once, also in updates', async () => {
    const source = { hostPath: { path: '/b' } };
    const annotations = { 'volume.beta.kubernetes.io/mount-options': 'b' };
    await resource.create(volume(source));
    const refused = resource.replace('a', { ...volume(source), metadata: { name: 'a', annotations } });
    expect(await causesOf(refused)).toEqual([
      expect.stringContaining('may not specify mount options for this volume type'),
    ]);
  });

  it('tell when their phase changed last', async () => {
    const created = await resource.create(volume(NFS));
    const now = created.metadata.creationTimestamp;
    const early = '2020-01-01T00:00:00Z';
    const write = async (phase: string, lastPhaseTransitionTime?: string): Promise<unknown> => {
      const status = { phase, ...(lastPhaseTransitionTime && { lastPhaseTransitionTime }) };
      return (await resource.replace('a', { ...volume(NFS), status }, 'status')).status;
    };
    expect(created.status).toMatchObject({ phase: 'Pending', lastPhaseTransitionTime: now });
    expect(await write('Pending', early)).toMatchObject({ lastPhaseTransitionTime: early });
    expect(await write('Pending')).toMatchObject({ lastPhaseTransitionTime: early });
    expect(await write('Bound', early)).toMatchObject({ phase: 'Bound', lastPhaseTransitionTime: now });
    expect(await write('Failed', early)).toMatchObject({ lastPhaseTransitionTime: early });
    expect(await write('Released')).toMatchObject({ lastPhaseTransitionTime: now });
  });
});
