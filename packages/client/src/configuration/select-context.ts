import {
  type ClientConfiguration,
  ClientConfigurationError,
  type ClusterEntry,
  type UserEntry,
} from './client-configuration.ts';

/** A context with its entries. */
export interface SelectedContext {
  readonly cluster: ClusterEntry;
  readonly clusterName: string;
  /** Undefined if the context has no user: requests are anonymous. */
  readonly user: UserEntry | undefined;
  readonly userName: string;
  /** Default `default`. */
  readonly namespace: string;
}

/**
 * The cluster, the user and the namespace of a context.
 * @param context instead of the current one
 * @throws ClientConfigurationError if it, or one of its entries, does not exist
 */
export function selectContext(
  { contexts, clusters, users, currentContext }: ClientConfiguration,
  context: string | undefined = currentContext,
): SelectedContext {
  if (context === undefined)
    throw new ClientConfigurationError(
      contexts.size + clusters.size + users.size === 0
        ? 'there is no configuration'
        : 'no context is named, and there is no current-context',
    );
  const entry = found('', 'context', contexts, context);
  const place = `context ${JSON.stringify(context)}: `;
  const { cluster, user, namespace = 'default' } = entry;
  if (cluster === undefined) throw new ClientConfigurationError(`${place}it names no cluster`);
  return {
    cluster: found(place, 'cluster', clusters, cluster),
    clusterName: cluster,
    user: user === undefined ? undefined : found(place, 'user', users, user),
    userName: user ?? '',
    namespace,
  };
}

function found<Entry>(place: string, part: string, entries: ReadonlyMap<string, Entry>, name: string): Entry {
  const entry = entries.get(name);
  if (entry === undefined)
    throw new ClientConfigurationError(`${place}there is no ${part} ${JSON.stringify(name)}`);
  return entry;
}
