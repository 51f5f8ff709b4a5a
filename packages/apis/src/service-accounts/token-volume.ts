import { type Ambient, generateName, type Vocabulary } from '@ashlar/core';
import type { Pod } from '../workloads/core/pod-types.ts';
import type { Container, VolumeMount } from '../workloads/pods/container-types.ts';
import type { Volume } from '../workloads/pods/volumes/volume-types.ts';

/** Validity of a pod's token in seconds: the hour after which programs renew it, and a little more. */
const EXPIRATION_SECONDS = 3607;

/**
 * The pod with a token volume of its account, mounted in each container at the well-known path
 * (semantics/access#service-accounts).
 */
export function withTokenVolume(
  pod: Pod,
  { vocabulary, random }: Pick<Ambient, 'vocabulary' | 'random'>,
): Pod {
  const { volumes = [], containers, initContainers } = pod.spec ?? {};
  const base = 'kube-api-access-';
  const existing = volumes.find(({ name }) => name?.startsWith(base));
  const name = existing?.name ?? generateName(base, random);
  const mountPath = `/var/run/secrets/${vocabulary.labelDomain}/serviceaccount`;
  const mount = { name, readOnly: true, mountPath };
  const all = [...(initContainers ?? []), ...(containers ?? [])];
  if (all.every((container) => isMountedAt(container, mountPath))) return pod;
  const mounted = (each: readonly Container[]): readonly Container[] =>
    each.map((container) => withMount(container, mount));
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(!existing && { volumes: [...volumes, tokenVolume(name, vocabulary)] }),
      ...(initContainers && { initContainers: mounted(initContainers) }),
      ...(containers && { containers: mounted(containers) }),
    },
  };
}

/** An existing mount at that path is kept. */
const isMountedAt = ({ volumeMounts = [] }: Container, path: string): boolean =>
  volumeMounts.some(({ mountPath }) => mountPath === path);

function withMount(container: Container, mount: VolumeMount & { readonly mountPath: string }): Container {
  if (isMountedAt(container, mount.mountPath)) return container;
  return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] };
}

/** The config map with the CA certificate of the server. */
export const rootCertificateMap = ({ namespacePrefix }: Vocabulary): string =>
  `${namespacePrefix}-root-ca.crt`;

/** A token, the CA certificate of the server, and the name of the namespace. */
function tokenVolume(name: string, vocabulary: Vocabulary): Volume {
  const authority = { key: 'ca.crt', path: 'ca.crt' };
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  const sources = [
    { serviceAccountToken: { expirationSeconds: EXPIRATION_SECONDS, path: 'token' } },
    { configMap: { name: rootCertificateMap(vocabulary), items: [authority] } },
    { downwardAPI: { items: [namespace] } },
  ];
  return { name, projected: { sources, defaultMode: 0o644 } };
}
