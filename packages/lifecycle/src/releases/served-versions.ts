import type { Vocabulary } from '@ashlar/core';
import type { Release } from './release.ts';
import { type ReleasedResource, releaseHistory, spans } from './release-history.ts';

/** The group versions of a release. */
export interface ReleasedVersions {
  /** All that it has, by name; the core group first. */
  readonly known: readonly string[];
  /** Those with a resource that is enabled without flags. */
  readonly enabled: readonly string[];
}

/** A resource as discovery of a release lists it. */
export interface DiscoveredResource extends Pick<ReleasedResource, 'name' | 'kind' | 'namespaced' | 'verbs'> {
  /** Whether it is served without flags. */
  readonly enabled: boolean;
}

/** Returns the group versions that a release serves. @example versionsOfRelease(requireRelease('1.21'), vocabulary).enabled */
export function versionsOfRelease(release: Release, vocabulary: Vocabulary): ReleasedVersions {
  const resources = releaseHistory(vocabulary).resources.filter(({ served }) => spans(served, release));
  const enabled = resources.filter((resource) => resource.enabled.some((span) => spans(span, release)));
  const names = (of: readonly ReleasedResource[]): readonly string[] => [
    ...new Set(of.map(({ groupVersion }) => groupVersion)),
  ];
  return { known: names(resources), enabled: names(enabled) };
}

/** Returns the resources of a group version in a release; none if the release does not have it. */
export function resourcesOfRelease(
  groupVersion: string,
  release: Release,
  vocabulary: Vocabulary,
): readonly DiscoveredResource[] {
  return releaseHistory(vocabulary)
    .resources.filter((resource) => resource.groupVersion === groupVersion && spans(resource.served, release))
    .map(({ name, kind, namespaced, verbs, enabled }) => ({
      ...{ name, kind, namespaced, verbs },
      enabled: enabled.some((span) => spans(span, release)),
    }));
}
