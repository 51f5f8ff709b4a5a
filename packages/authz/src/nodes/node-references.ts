import type { ApiObject } from '@ashlar/core';

interface Named {
  readonly name?: string;
  readonly namespace?: string;
}

interface Container {
  readonly envFrom?: readonly { readonly secretRef?: Named; readonly configMapRef?: Named }[];
  readonly env?: readonly {
    readonly valueFrom?: { readonly secretKeyRef?: Named; readonly configMapKeyRef?: Named };
  }[];
}

/** The source of a volume, as far as it references objects. */
export interface VolumeSource {
  readonly secret?: { readonly secretName?: string };
  readonly configMap?: Named;
  readonly projected?: {
    readonly sources?: readonly {
      readonly secret?: Named;
      readonly configMap?: Named;
      readonly clusterTrustBundle?: object;
    }[];
  };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly ephemeral?: object;
  readonly azureFile?: { readonly secretName?: string; readonly secretNamespace?: string | null };
  readonly csi?: { readonly nodePublishSecretRef?: Named; readonly [field: string]: unknown };
  readonly cephfs?: { readonly secretRef?: Named };
  readonly cinder?: { readonly secretRef?: Named };
  readonly flexVolume?: { readonly secretRef?: Named };
  readonly rbd?: { readonly secretRef?: Named };
  readonly scaleIO?: { readonly secretRef?: Named };
  readonly iscsi?: { readonly secretRef?: Named };
  readonly storageos?: { readonly secretRef?: Named };
}

/** A pod, as far as nodes and admission use it. */
export interface Pod extends ApiObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly imagePullSecrets?: readonly Named[];
    readonly volumes?: readonly ({ readonly name?: string } & VolumeSource)[];
    readonly containers?: readonly Container[] | null;
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly resourceClaims?: readonly object[];
  };
}

export interface PersistentVolume extends ApiObject {
  readonly spec?: VolumeSource & { readonly claimRef?: Named };
}

export interface VolumeAttachment extends ApiObject {
  readonly spec?: { readonly nodeName?: string };
}

/** An object in the pod's namespace. */
export interface PodReference {
  readonly resource: 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts';
  readonly name: string;
}

const SOURCES = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'] as const;

/** Returns the objects that a pod references: service account, secrets, config maps and claims; one entry for each reference. */
export function podReferences({ metadata, spec = {} }: Pod): readonly PodReference[] {
  const containers = [
    ...(spec.containers ?? []),
    ...(spec.initContainers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  return [
    ...referencesTo('serviceaccounts', [spec.serviceAccountName]),
    ...referencesTo('secrets', (spec.imagePullSecrets ?? []).map(nameOf)),
    ...containers.flatMap(containerReferences),
    ...(spec.volumes ?? []).flatMap((volume) => volumeReferences(volume, metadata.name ?? '')),
  ];
}

const nameOf = (named: Named | undefined): string | undefined => named?.name;

function referencesTo(
  resource: PodReference['resource'],
  names: readonly (string | undefined)[],
): readonly PodReference[] {
  return names.flatMap((name) => (name ? [{ resource, name }] : []));
}

function containerReferences({ env = [], envFrom = [] }: Container): readonly PodReference[] {
  const secrets = [
    ...envFrom.map(({ secretRef }) => nameOf(secretRef)),
    ...env.map(({ valueFrom }) => nameOf(valueFrom?.secretKeyRef)),
  ];
  const configMaps = [
    ...envFrom.map(({ configMapRef }) => nameOf(configMapRef)),
    ...env.map(({ valueFrom }) => nameOf(valueFrom?.configMapKeyRef)),
  ];
  return [...referencesTo('secrets', secrets), ...referencesTo('configmaps', configMaps)];
}

function volumeReferences(
  { name, ...volume }: { readonly name?: string } & VolumeSource,
  pod: string,
): readonly PodReference[] {
  const projected = volume.projected?.sources ?? [];
  const secrets = [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    nameOf(volume.csi?.nodePublishSecretRef),
    ...projected.map(({ secret }) => nameOf(secret)),
    ...SOURCES.map((source) => nameOf(volume[source]?.secretRef)),
  ];
  const configMaps = [nameOf(volume.configMap), ...projected.map(({ configMap }) => nameOf(configMap))];
  // the claim of an ephemeral volume belongs to the pod, and its name consists of both
  const claim = volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral && `${pod}-${name ?? ''}`);
  return [
    ...referencesTo('secrets', secrets),
    ...referencesTo('configmaps', configMaps),
    ...referencesTo('persistentvolumeclaims', [claim]),
  ];
}

/** The claim of a volume. */
export function claimedBy({ spec }: PersistentVolume): Required<Named> | undefined {
  const { namespace = '', name = '' } = spec?.claimRef ?? {};
  return spec?.claimRef && { namespace, name };
}

/** The secrets of a volume that its node needs, except those that only controllers need. */
export function volumeSecrets({ spec = {} }: PersistentVolume): readonly Required<Named>[] {
  const claimNamespace = spec.claimRef?.namespace ?? '';
  const { azureFile, csi } = spec;
  const references: readonly (Named | undefined)[] = [
    azureFile && {
      name: azureFile.secretName ?? '',
      namespace: azureFile.secretNamespace || claimNamespace,
    },
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef as Named | undefined,
    csi?.nodeExpandSecretRef as Named | undefined,
    ...SOURCES.map((source) => {
      const secret = spec[source]?.secretRef;
      return secret && { ...secret, namespace: secret.namespace || claimNamespace };
    }),
  ];
  return references.flatMap((found) =>
    found?.name ? [{ name: found.name, namespace: found.namespace ?? '' }] : [],
  );
}
