import {
  type ApiObject,
  fieldErrorText,
  kubernetesVocabulary,
  orchVocabulary,
  runAtOnce,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { ingresses } from '../networking/ingresses.ts';
import { csiStorageCapacities } from '../storage/csi-storage-capacities.ts';
import { storageClasses } from '../storage/storage-classes.ts';
import { persistentVolumeClaims } from './persistent-volume-claims.ts';
import { persistentVolumes } from './persistent-volumes.ts';

const warningsOf = (
  { strategy }: ResourceDefinition,
  object: object,
  stored?: object,
  vocabulary = kubernetesVocabulary,
): readonly string[] =>
  strategy.warnings?.(
    { metadata: {}, ...object } as ApiObject,
    stored && ({ metadata: {}, ...stored } as ApiObject),
    vocabulary,
  ) ?? [];

/** Release 1.32 warns so. */
describe('a warning', () => {
  it('is given of what is deprecated in a volume', () => {
    const definition = persistentVolumes(kubernetesVocabulary);
    const terms = [{}, { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }];
    const volume = {
      metadata: {
        annotations: {
          'volume.beta.kubernetes.io/storage-class': 'a',
          'volume.beta.kubernetes.io/mount-options': 'b',
        },
      },
      spec: {
        persistentVolumeReclaimPolicy: 'Recycle',
        nodeAffinity: { required: { nodeSelectorTerms: terms } },
        rbd: { image: 'i' },
      },
    };
    expect(warningsOf(definition, volume, volume)).toEqual([
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      'spec.nodeAffinity.required.nodeSelectorTerms[1].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
    ]);
    expect(warningsOf(definition, { spec: { persistentVolumeReclaimPolicy: 'Retain' } })).toEqual([]);
    expect(warningsOf(definition, { spec: { storageos: {} } })).toEqual([
      'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
    ]);
  });

  it('is no more given, but an error, where the source of a volume has no options', () => {
    const { strategy } = persistentVolumes(kubernetesVocabulary);
    const errors = (source: object): readonly string[] => {
      const metadata = { name: 'v', annotations: { 'volume.beta.kubernetes.io/mount-options': 'b' } };
      const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source };
      const steps = strategy.validateSteps?.({ metadata, spec } as unknown as ApiObject);
      return (steps ? runAtOnce(steps) : []).map(fieldErrorText);
    };
    expect(errors({ nfs: { server: 'a', path: '/b' } })).toEqual([]);
    expect(errors({ hostPath: { path: '/b', type: '' } })).toEqual([
      'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type',
    ]);
  });

  it('is not given of a class of attributes, which a volume without one does not get', () => {
    const { strategy } = persistentVolumes(kubernetesVocabulary);
    const volume = (spec: object): ApiObject => ({ metadata: { name: 'v' }, spec }) as unknown as ApiObject;
    const set = volume({ volumeAttributesClassName: 'a', storageClassName: 'b' });
    expect(strategy.prepareForUpdate?.(set, volume({}), 'v1')).toMatchObject(
      volume({ storageClassName: 'b' }),
    );
    expect(strategy.prepareForUpdate?.(set, volume({}), 'v1').spec).not.toHaveProperty(
      'volumeAttributesClassName',
    );
    expect(strategy.prepareForUpdate?.(set, set, 'v1')).toEqual(set);
  });

  it('is given of the annotation of a claim, and of fractions of bytes', () => {
    const claim = {
      metadata: { annotations: { 'volume.beta.orch.io/storage-class': 'a' } },
      spec: { resources: { requests: { storage: '1500m' }, limits: { storage: '2500m' } } },
    };
    expect(warningsOf(persistentVolumeClaims(orchVocabulary), claim, undefined, orchVocabulary)).toEqual([
      'metadata.annotations[volume.beta.orch.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.resources.limits[storage]: fractional byte value "2500m" is invalid, must be an integer',
    ]);
  });

  it('is given of deprecated labels of places', () => {
    const expressions = [{ key: 'zone' }, { key: 'failure-domain.beta.kubernetes.io/zone' }];
    const use = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
    expect(
      warningsOf(storageClasses(kubernetesVocabulary), {
        allowedTopologies: [{ matchLabelExpressions: expressions }],
      }),
    ).toEqual([`allowedTopologies[0].matchLabelExpressions[1].key: ${use}`]);
    expect(
      warningsOf(csiStorageCapacities(kubernetesVocabulary), {
        nodeTopology: { matchExpressions: expressions, matchLabels: { [expressions[1]?.key ?? '']: 'a' } },
      }),
    ).toEqual([
      `nodeTopology.matchExpressions[1].key: failure-domain.beta.kubernetes.io/zone is ${use}`,
      `nodeTopology.matchLabels.failure-domain.beta.kubernetes.io/zone: ${use}`,
    ]);
  });

  it('is given of the annotation of a new ingress without a class', () => {
    const definition = ingresses(kubernetesVocabulary);
    const ingress = { metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } }, spec: {} };
    expect(warningsOf(definition, ingress)).toEqual([
      'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
    ]);
    expect(warningsOf(definition, ingress, ingress)).toEqual([]);
    expect(warningsOf(definition, { ...ingress, spec: { ingressClassName: 'b' } })).toEqual([]);
  });
});
