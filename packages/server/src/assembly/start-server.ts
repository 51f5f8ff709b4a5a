import { groupName } from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { repairAllocations } from '../allocation/repair-allocations.ts';
import { apiServices, bootstrapApiServices } from '../bootstrap/bootstrap-api-services.ts';
import { bootstrapNamespaces } from '../bootstrap/bootstrap-namespaces.ts';
import { bootstrapPriorityClasses } from '../bootstrap/bootstrap-priority-classes.ts';
import type { FlowObjectsReconciler } from '../bootstrap/flow-objects-reconciler.ts';
import { serverHealthChecks } from '../health/server-health.ts';
import type { StartTasks } from '../health/start-checks.ts';
import type { BackgroundWork } from './background-work.ts';
import type { ServedApi } from './served-api.ts';
import type { ServerFoundation } from './server-foundation.ts';
import type { ApiServerSettings } from './server-settings.ts';
import { checkStoreVocabulary } from './store-vocabulary.ts';
import { whileUnavailable } from './while-unavailable.ts';

/**
 * Creates the objects that every server has, reads the stored definitions and then starts the controllers. Each task waits for the one before
 * it and has a health check.
 * @returns a promise that is fulfilled when the server is ready
 */
export function startServer(
  settings: ApiServerSettings,
  foundation: ServerFoundation,
  api: ServedApi,
  { client, controllers, repair, flowObjects }: BackgroundWork,
): Promise<void> {
  const { lifetime, access, legacyTokens } = foundation;
  const tasks = startTasks(settings, foundation, api, flowObjects);
  addHealthChecks(settings, foundation, {
    namespaces: tasks.namespaces,
    ...(access.usesRoles && { roles: tasks.roles }),
    ...(trackedTokenMaps(settings, api) && { tokens: tasks.classes }),
    ...(api.resources.allocators.length > 0 && { addresses: tasks.addresses }),
    ...(priorityClasses(settings, api) && { priorityClasses: tasks.classes }),
    ...(flowObjects.isNeeded && { flows: tasks.flows }),
    ...(apiServices(api.resources.catalog) && { services: tasks.services }),
    ready: tasks.ready,
  });
  tasks.ready.then(
    () => {
      lifetime.complete();
      api.storedObjects.count();
      api.aggregated.aggregation.start();
      for (const controller of controllers) controller.start();
      if (settings.readOnly) return;
      repair.start();
      flowObjects.start();
      if (settings.serviceAccounts) legacyTokens.start(client);
    },
    (error) => lifetime.closing.aborted || settings.onError(error),
  );
  return tasks.ready;
}

type Tasks = Readonly<
  Record<'namespaces' | 'roles' | 'classes' | 'addresses' | 'flows' | 'services' | 'ready', Promise<void>>
>;

function startTasks(
  settings: ApiServerSettings,
  { storage, lifetime, access, encryption, legacyTokens }: ServerFoundation,
  api: ServedApi,
  flowObjects: FlowObjectsReconciler,
): Tasks {
  const { clock, vocabulary } = settings.ambient;
  const { catalog } = api.resources;
  const persist = (work: () => Promise<void>): Promise<void> =>
    whileUnavailable(work, clock, lifetime.closing);
  // a fork has these objects already, as they have become
  const isFork = lifetime.isComplete;
  const once = (work: () => Promise<void>): Promise<void> => (isFork ? Promise.resolve() : persist(work));
  const checked = persist(async () => {
    await encryption?.start();
    // a backup is of any cluster
    if (!settings.readOnly) await checkStoreVocabulary(storage, vocabulary);
  });
  const namespaces = checked.then(() =>
    once(async () => {
      const served = catalog.find('', 'v1', 'namespaces');
      if (served) await bootstrapNamespaces(served, vocabulary);
    }),
  );
  const roles = namespaces.then(() => once(() => access.bootstrapRoles(catalog)));
  const classes = roles.then(() =>
    once(async () => {
      const served = priorityClasses(settings, api);
      if (served) await bootstrapPriorityClasses(served);
      const configMaps = trackedTokenMaps(settings, api);
      if (configMaps) await legacyTokens.publish(configMaps);
    }),
  );
  const addresses = classes.then(() => once(() => repairAllocations(api.resources.allocators)));
  const flows = addresses.then(() => once(() => flowObjects.ensure()));
  const services = flows.then(() => once(() => bootstrapApiServices(catalog)));
  const ready = services.then(() => startFollowing(api));
  return { namespaces, roles, classes, addresses, flows, services, ready };
}

async function startFollowing({ customResources, aggregated, flowControl }: ServedApi): Promise<void> {
  await Promise.all([
    customResources.installer.start(),
    aggregated.following.synced(),
    flowControl?.synced(),
  ]);
}

function priorityClasses(
  { ambient }: ApiServerSettings,
  { resources }: ServedApi,
): ServedResource | undefined {
  return resources.catalog.find(groupName(ambient.vocabulary, 'scheduling.'), 'v1', 'priorityclasses');
}

/** Returns the config maps, of which one tells since when the use of stored tokens is tracked; undefined if it is not. */
function trackedTokenMaps(
  { serviceAccounts }: ApiServerSettings,
  { resources }: ServedApi,
): ServedResource | undefined {
  return serviceAccounts && resources.catalog.find('', 'v1', 'configmaps');
}

function addHealthChecks(
  { ambient, healthChecks = [] }: ApiServerSettings,
  { storage, health, lifetime, encryption }: ServerFoundation,
  start: StartTasks,
): void {
  const own = { storage, ...ambient, start, stopping: lifetime.stopping };
  const services = encryption?.checks ?? [];
  for (const check of [...serverHealthChecks(own), ...services, ...healthChecks]) health.add(check);
}
