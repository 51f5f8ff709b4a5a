import type { GroupVersionKind } from '@ashlar/core';
import { viewsOf } from '@ashlar/registry';
import type { ServedResource } from './served-resource.ts';

/** A subresource in discovery. */
export interface SubresourceEntry {
  readonly name: string;
  /** In the order of discovery. */
  readonly verbs: readonly string[];
  readonly kind: GroupVersionKind;
}

/** Returns all subresources of a resource, sorted by name (semantics/discovery#discovery, #aggregated-discovery). */
export function subresourceEntries({ definition, version }: ServedResource): readonly SubresourceEntry[] {
  const { group, names, actions = [], connections = [] } = definition;
  const own = { group, version: version.name };
  const entries: readonly SubresourceEntry[] = [
    ...(version.subresources ?? []).map(({ name, verbs }) => ({
      name,
      verbs,
      kind: { ...own, kind: names.kind },
    })),
    ...viewsOf(definition, version).map(({ name, verbs, ...kind }) => ({ name, verbs, kind: kindOf(kind) })),
    ...actions.map(({ name, ...kind }) => ({ name, verbs: ['create'], kind: kindOf(kind) })),
    ...connections.map(({ name, verbs, kind }) => ({ name, verbs, kind: { ...own, kind } })),
  ];
  const sorted = entries.map((entry) => ({ ...entry, verbs: [...entry.verbs].sort() }));
  // those of custom types stay in the declared order: status, then scale
  return definition.dialect === 'custom' ? sorted : sorted.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const kindOf = ({ group, version, kind }: GroupVersionKind): GroupVersionKind => ({ group, version, kind });
