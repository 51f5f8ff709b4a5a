import type { PodSpec } from '../core/pod-types.ts';
import type { Container } from '../pods/container-types.ts';

/** Features of pods that are off by default, but whose fields a pod keeps that is stored with them. */
export interface UsedFeatures {
  readonly userNamespaces: boolean;
  readonly groupsPolicy: boolean;
  readonly labelPolicy: boolean;
  readonly podResources: boolean;
  readonly resourceClaims: boolean;
  readonly resizing: boolean;
  readonly procMount: boolean;
  readonly trustBundles: boolean;
  readonly images: boolean;
}

/** What a stored pod, or the template of some, uses of features that are off. */
export function usedFeatures(spec: PodSpec = {}): UsedFeatures {
  const { securityContext = {}, resources = {}, volumes = [] } = spec;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const uses = (isUsing: (container: Container) => boolean): boolean =>
    containers.some(isUsing) || (spec.ephemeralContainers ?? []).some(isUsing);
  return {
    userNamespaces: spec.hostUsers !== undefined,
    groupsPolicy: securityContext.supplementalGroupsPolicy !== undefined,
    labelPolicy: securityContext.seLinuxChangePolicy !== undefined,
    podResources: [resources.requests, resources.limits].some((list) => Object.keys(list ?? {}).length > 0),
    resourceClaims: (spec.resourceClaims?.length ?? 0) > 0,
    resizing: (spec.containers ?? []).some(({ resizePolicy }) => (resizePolicy?.length ?? 0) > 0),
    procMount: uses((container) => !isMasked(container)),
    trustBundles: volumes.some(({ projected }) =>
      (projected?.sources ?? []).some(({ clusterTrustBundle }) => clusterTrustBundle),
    ),
    images: volumes.some(({ image }) => image),
  };
}

/** Whether a container sees its processes as is usual. */
export const isMasked = ({ securityContext }: Container): boolean =>
  (securityContext?.procMount ?? 'Default') === 'Default';

export const NO_FEATURES: UsedFeatures = usedFeatures();
