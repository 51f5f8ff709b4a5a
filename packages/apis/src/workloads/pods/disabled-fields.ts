import type { PodSpec } from '../core/pod-types.ts';
import { isMasked, NO_FEATURES, type UsedFeatures, usedFeatures } from '../inherited/used-features.ts';
import type { Container } from './container-types.ts';
import type { PodSecurityContext } from './security-types.ts';
import type { Volume, VolumeProjection } from './volumes/volume-types.ts';

/**
 * The spec of pods without the fields of features that are off by default: writes drop them without an error,
 * after admission (semantics/verbs#kinds).
 * @param stored the spec before, whose features stay
 */
export function withoutDisabledFields(spec: PodSpec, stored?: PodSpec): PodSpec {
  const ordinary = withoutFeatures(spec, NO_FEATURES);
  return ordinary === spec || !stored ? ordinary : withoutFeatures(spec, usedFeatures(stored));
}

function withoutFeatures(podSpec: PodSpec, used: UsedFeatures): PodSpec {
  const spec = used.images ? podSpec : withoutImages(podSpec);
  const ordinary = <T extends Container>(container: T): T => ordinaryContainer(container, used);
  const changes = {
    ...changed('securityContext', spec.securityContext, (context) => withoutPolicies(context, used)),
    ...(used.trustBundles ? {} : changedList('volumes', spec.volumes, withoutBundles)),
    ...changedList('containers', spec.containers, ordinary),
    ...changedList('initContainers', spec.initContainers, ordinary),
    ...changedList('ephemeralContainers', spec.ephemeralContainers, ordinary),
  };
  const dropped: readonly (keyof PodSpec)[] = [
    ...(used.userNamespaces ? [] : (['hostUsers'] as const)),
    ...(used.podResources ? [] : (['resources'] as const)),
    ...(used.resourceClaims ? [] : (['resourceClaims'] as const)),
  ];
  const rest = without(spec, dropped);
  return Object.keys(changes).length === 0 ? rest : { ...rest, ...changes };
}

/** An object without some members; itself if it has none of them. */
function without<T extends object>(object: T, names: readonly (keyof T)[]): T {
  if (names.every((name) => object[name] === undefined)) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name as keyof T))) as T;
}

/** Volumes that are images are dropped with their mounts. */
function withoutImages(spec: PodSpec): PodSpec {
  const images = new Set((spec.volumes ?? []).filter(({ image }) => image).map(({ name }) => name));
  if (images.size === 0) return spec;
  const withoutMounts = <T extends Container>(container: T): T =>
    withList(container, 'volumeMounts', container.volumeMounts, ({ name }) => !images.has(name));
  return {
    ...withList(spec, 'volumes', spec.volumes, ({ image }) => !image),
    ...changedList('containers', spec.containers, withoutMounts),
    ...changedList('initContainers', spec.initContainers, withoutMounts),
    ...changedList('ephemeralContainers', spec.ephemeralContainers, withoutMounts),
  };
}

/** An object with what is kept of one of its lists; without the list if that is nothing. */
function withList<T extends object, I>(
  object: T,
  name: keyof T,
  list: readonly I[] | null | undefined,
  isKept: (item: I) => boolean,
): T {
  const kept = list?.filter(isKept) ?? [];
  if (kept.length > 0) return { ...object, [name]: kept };
  const { [name]: _, ...rest } = object;
  return rest as T;
}

function changed<T>(name: string, part: T | undefined, change: (part: T) => T): object {
  const next = part && change(part);
  return next === part ? {} : { [name]: next };
}

function changedList<T>(name: string, list: readonly T[] | null | undefined, change: (item: T) => T): object {
  if (!list) return {};
  const next = list.map(change);
  return next.every((item, index) => item === list[index]) ? {} : { [name]: next };
}

function withoutPolicies(context: PodSecurityContext, used: UsedFeatures): PodSecurityContext {
  return without(context, [
    ...(used.groupsPolicy ? [] : (['supplementalGroupsPolicy'] as const)),
    ...(used.labelPolicy ? [] : (['seLinuxChangePolicy'] as const)),
  ]);
}

function ordinaryContainer<T extends Container>(container: T, used: UsedFeatures): T {
  const { resources, securityContext } = container;
  const hidesClaims = !used.resourceClaims && resources?.claims !== undefined;
  const masks = !used.procMount && !isMasked(container);
  const kept = used.resizing ? container : without(container as Container, ['resizePolicy']);
  if (!hidesClaims && !masks) return kept as T;
  return {
    ...kept,
    ...(hidesClaims && { resources: without(resources, ['claims']) }),
    ...(masks && { securityContext: { ...securityContext, procMount: 'Default' } }),
  } as T;
}

function withoutBundles(volume: Volume): Volume {
  const sources = volume.projected?.sources;
  if (!sources?.some(({ clusterTrustBundle }) => clusterTrustBundle)) return volume;
  return { ...volume, projected: { ...volume.projected, sources: sources.map(withoutBundle) } };
}

function withoutBundle({ clusterTrustBundle: _, ...source }: VolumeProjection): VolumeProjection {
  return source;
}
