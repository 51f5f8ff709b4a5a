import type { PodSpec } from '../core/pod-types.ts';
import type { Container } from './container-types.ts';
import type { Volume, VolumeProjection } from './volumes/volume-types.ts';

/**
 * The spec of pods without the fields of features that are off by default: writes drop them without an error,
 * after admission (semantics/verbs#kinds).
 */
export function withoutDisabledFields(podSpec: PodSpec): PodSpec {
  const spec = withoutImages(podSpec);
  const { hostUsers, resources, resourceClaims, ...rest } = spec;
  const changes = {
    ...changed('securityContext', spec.securityContext, withoutPolicies),
    ...changedList('volumes', spec.volumes, withoutBundles),
    ...changedList('containers', spec.containers, ordinaryContainer),
    ...changedList('initContainers', spec.initContainers, ordinaryContainer),
    ...changedList('ephemeralContainers', spec.ephemeralContainers, ordinaryContainer),
  };
  const isUnchanged = hostUsers === undefined && resources === undefined && resourceClaims === undefined;
  return isUnchanged && Object.keys(changes).length === 0 ? spec : { ...rest, ...changes };
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

function withoutPolicies(
  context: NonNullable<PodSpec['securityContext']>,
): NonNullable<PodSpec['securityContext']> {
  const { supplementalGroupsPolicy, seLinuxChangePolicy, ...rest } = context;
  return supplementalGroupsPolicy === undefined && seLinuxChangePolicy === undefined ? context : rest;
}

function ordinaryContainer<T extends Container>(container: T): T {
  const { resizePolicy, ...rest } = container;
  const { claims, ...resources } = container.resources ?? {};
  const { procMount } = container.securityContext ?? {};
  const isMasked = procMount === undefined || procMount === 'Default';
  if (resizePolicy === undefined && claims === undefined && isMasked) return container;
  return {
    ...rest,
    ...(container.resources && { resources }),
    ...(!isMasked && { securityContext: { ...container.securityContext, procMount: 'Default' } }),
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
