import type { ClientConfiguration } from './client-configuration.ts';

/**
 * Merges configurations. The first that has an entry of a name, or a current context, wins; entries of the
 * same name are not merged.
 */
export function mergeClientConfigurations(
  configurations: readonly ClientConfiguration[],
): ClientConfiguration {
  return {
    currentContext: configurations.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
    clusters: firstOfName(configurations.map(({ clusters }) => clusters)),
    users: firstOfName(configurations.map(({ users }) => users)),
    contexts: firstOfName(configurations.map(({ contexts }) => contexts)),
  };
}

function firstOfName<Entry>(maps: readonly ReadonlyMap<string, Entry>[]): ReadonlyMap<string, Entry> {
  // later entries win, so the first comes last
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}
