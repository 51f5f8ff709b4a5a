import { type FieldError, FieldErrors, type ObjectMeta, type Vocabulary } from '@ashlar/core';
import { nodeSelectorTermWarnings } from '../pods/node-label-warnings.ts';
import { storageClassWarnings } from './claim-warnings.ts';
import type { VolumeSpec } from './volume-validation.ts';

/** Sources that are deprecated: since which release, and from which on they do nothing. */
const DEPRECATED_SOURCES: readonly (readonly [source: string, since: number, without: number])[] = [
  ['cephfs', 28, 31],
  ['photonPersistentDisk', 11, 16],
  ['scaleIO', 16, 22],
  ['storageos', 22, 25],
  ['glusterfs', 25, 26],
  ['rbd', 28, 31],
];

/** The annotation of options with which a volume is mounted, from before there was a field. */
const mountOptions = ({ labelDomain }: Vocabulary): string => `volume.beta.${labelDomain}/mount-options`;

/** Sources that may have this annotation. */
const MOUNTED_WITH_OPTIONS: readonly string[] = [
  ...['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder'],
  ...['cephfs', 'azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'],
];

/** Returns the error of a volume that is annotated with options which its source does not have. */
export function mountOptionErrors(
  { annotations }: ObjectMeta,
  spec: VolumeSpec,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const key = mountOptions(vocabulary);
  if (!annotations || !Object.hasOwn(annotations, key)) return [];
  if (MOUNTED_WITH_OPTIONS.some((source) => spec[source] !== undefined)) return [];
  const why = 'may not specify mount options for this volume type';
  return [FieldErrors.forbidden(`metadata.annotations.${key}`, why)];
}

/** Texts of Warning headers about a volume of the cluster. */
export function volumeWarnings(
  metadata: ObjectMeta,
  spec: VolumeSpec,
  vocabulary: Vocabulary,
): readonly string[] {
  const options = mountOptions(vocabulary);
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...storageClassWarnings(metadata, vocabulary),
    ...(metadata.annotations && Object.hasOwn(metadata.annotations, options)
      ? [`metadata.annotations[${options}]: deprecated since v1.31; use "mountOptions" attribute instead`]
      : []),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [RECYCLED] : []),
    ...terms.flatMap((term, index) =>
      nodeSelectorTermWarnings(term, vocabulary, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...DEPRECATED_SOURCES.filter(([source]) => spec[source] !== undefined).map(
      ([source, since, without]) =>
        `spec.${SPELLED[source] ?? source}: deprecated in v1.${since}, non-functional in v1.${without}+`,
    ),
  ];
}

/** How warnings spell sources, where they do not as the field is spelled. */
const SPELLED: Readonly<Record<string, string>> = { storageos: 'storageOS' };

const RECYCLED =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
