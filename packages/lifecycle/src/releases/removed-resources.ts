import { apiVersionOf, type Vocabulary } from '@ashlar/core';
import type { Release } from './release.ts';
import { marksOf } from './release-history.ts';
import { type RemovalOptions, typeState } from './type-state.ts';

/** The kinds of a group's resources, by version and plural. */
export type GroupResources = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Returns what a server of a release serves of a group: without kinds that it removes or that are newer, and without
 * versions of which nothing is left. Unmarked kinds are served.
 */
export function withoutRemoved(
  group: string,
  resources: GroupResources,
  release: Release,
  { vocabulary, ...options }: RemovalOptions & { readonly vocabulary: Vocabulary },
): GroupResources {
  const isLeft = (version: string, kind: string): boolean => {
    const marks = marksOf({ groupVersion: apiVersionOf({ group, version }), kind }, vocabulary);
    return !marks || !typeState(marks, release, options).refused;
  };
  const left = Object.entries(resources).map(
    ([version, kinds]): [string, Readonly<Record<string, string>>] => [
      version,
      Object.fromEntries(Object.entries(kinds).filter(([, kind]) => isLeft(version, kind))),
    ],
  );
  return Object.fromEntries(left.filter(([, kinds]) => Object.keys(kinds).length > 0));
}
