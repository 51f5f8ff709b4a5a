import { type ConnectionOptions, createClient, type ResourceClient } from '@ashlar/client';
import { type RewrittenObjects, rewriteObjects } from '@ashlar/controllers';
import { errorMessage, StatusError } from '@ashlar/core';
import type { CommandSurroundings } from '../../command-surroundings.ts';
import type { MigrateStorageFlags } from '../../flags/tools/migrate-storage-flags.ts';
import { UsageError } from '../../usage-error.ts';
import { clusterConnection } from '../cluster/cluster-connection.ts';
import { type ListedResource, listedResources } from '../cluster/listed-resources.ts';
import { definitionsOf, dropOldVersions, type StoredDefinition, versionToStore } from './stored-versions.ts';

/**
 * Runs `ashlar migrate-storage`: writes objects of a server again, so that they are stored in the storage version of their type and encrypted
 * with the key that writes now; then the status of their definition names only that version.
 * @param names resources such as `secrets` or `widgets.example.com`; without any, all that can be listed and patched
 * @returns the exit status: 1 where something could not be migrated
 * @throws UsageError for a resource that there is not
 */
export async function migrateStorage(
  flags: MigrateStorageFlags,
  names: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  using connection = clusterConnection('kubeconfig', flags.kubeconfig, flags.vocabulary);
  return migrateResources(connection, names, surroundings);
}

/** As `migrateStorage`, over any connection. */
export async function migrateResources(
  connection: ConnectionOptions,
  names: readonly string[],
  { stdout, stderr }: Pick<CommandSurroundings, 'stdout' | 'stderr'>,
): Promise<number> {
  const client = createClient(connection);
  let failed = 0;
  const fail = (text: string): void => {
    failed++;
    stderr(`ashlar: ${text}\n`);
  };
  const found = await listedResources(client, ({ apiVersion, error }) =>
    fail(`${apiVersion} cannot be read: ${errorMessage(error)}`),
  );
  const { vocabulary } = connection.ambient;
  const definitions = definitionsOf(client);
  for (const resource of chosen(found, names)) {
    const name = nameOf(resource);
    try {
      // read before the first object, so that a storage version that changes meanwhile is noticed
      const definition = await definitionOf(definitions, name);
      const result = await rewriteObjects({ client, vocabulary, resource });
      stdout(`${line(name, result)}\n`);
      for (const { name: object, error } of result.failures) fail(`${name} ${object}: ${error.message}`);
      if (result.failures.length > 0 || !definition) continue;
      const version = versionToStore(definition);
      if (version === undefined) continue;
      await dropOldVersions(definitions, definition, version);
      stdout(`${name}: all objects are stored as ${version}\n`);
    } catch (error) {
      fail(`${name}: ${errorMessage(error)}`);
    }
  }
  return failed > 0 ? 1 : 0;
}

const nameOf = ({ resource, group }: ListedResource): string => [resource, group].filter(Boolean).join('.');

/** @throws UsageError for a name without resource, or whose objects cannot be patched */
function chosen(found: readonly ListedResource[], names: readonly string[]): readonly ListedResource[] {
  const all = found.filter(({ verbs }) => verbs.includes('patch'));
  if (names.length === 0) return all;
  return names.map((name) => {
    const resource = all.find((each) => nameOf(each) === name);
    if (!resource) throw new UsageError(`the server has no resource ${name} whose objects can be patched`);
    return resource;
  });
}

/** Undefined for built-in resources. */
async function definitionOf(
  definitions: ResourceClient<StoredDefinition>,
  name: string,
): Promise<StoredDefinition | undefined> {
  if (!name.includes('.')) return undefined;
  try {
    return await definitions.get(name);
  } catch (error) {
    if (StatusError.is(error) && error.code === 404) return undefined;
    throw error;
  }
}

function line(name: string, { current, overtaken, failures }: RewrittenObjects): string {
  const parts = [
    `${current} ${current === 1 ? 'object' : 'objects'}`,
    ...(overtaken > 0 ? [`${overtaken} changed meanwhile`] : []),
    ...(failures.length > 0 ? [`${failures.length} failed`] : []),
  ];
  return `${name}: ${parts.join(', ')}`;
}
