import { type Client, type ConnectionOptions, createClient } from '@ashlar/client';
import type { Controller } from '@ashlar/controllers';
import { groupName, type Handler, type UserInfo } from '@ashlar/core';
import { createInProcessTransport } from '@ashlar/http';
import { createCompactor } from '@ashlar/storage';
import { AllocationRepair } from '../allocation/repair-allocations.ts';
import { FlowObjectsReconciler } from '../bootstrap/flow-objects-reconciler.ts';
import { createLiveOwnership, type LiveOwnership } from '../live/live-ownership.ts';
import type { OwnershipSnapshot } from '../live/ownership-following.ts';
import type { ControllerName } from './controller-selection.ts';
import { controllerUser } from './controller-users.ts';
import { controllerProgram, serverProgram } from './program-names.ts';
import type { ServedApi } from './served-api.ts';
import { createServerControllers } from './server-controllers.ts';
import type { ServerFoundation } from './server-foundation.ts';
import type { ApiServerSettings } from './server-settings.ts';
import { typedKinds } from './typed-kinds.ts';

/** As the reference compacts (semantics/list-and-watch#watch). */
const COMPACTION_MILLISECONDS = 300_000;

/** The background work of a server: its controllers, the client that they use, and compaction, which runs at once. */
export interface BackgroundWork {
  /** How clients reach the server in this process, with every right. */
  readonly connection: ConnectionOptions;
  readonly client: Client;
  readonly ownership: LiveOwnership;
  /** Controllers, which have not been started. */
  readonly controllers: readonly Controller[];
  readonly compactor: Disposable | undefined;
  /** The repair of allocations, not started yet. */
  readonly repair: AllocationRepair;
  /** Upkeep of flow schemas and priorities, which has not been started. */
  readonly flowObjects: FlowObjectsReconciler;
}

/** @param snapshot owners that the original server of a fork knew */
export function createBackgroundWork(
  settings: ApiServerSettings,
  foundation: ServerFoundation,
  api: ServedApi,
  snapshot: OwnershipSnapshot | undefined,
): BackgroundWork {
  const { ambient, onError } = settings;
  const { catalog } = api.resources;
  const handle: Handler = (request) => {
    // a 503 would be tried again for a while, and for ever with a clock that does not advance
    if (!api.gate.isOpen) throw new Error('the server has been closed, and its client with it');
    return api.internal(request);
  };
  const connection: ConnectionOptions = {
    transport: createInProcessTransport(handle),
    baseUrl: 'http://in-process',
    token: foundation.loopback.token,
    headers: { 'user-agent': serverProgram(ambient.vocabulary) },
    ambient,
  };
  // what controllers ask must not slow down their own long work, as what callers ask does
  const own = { ...connection, transport: createInProcessTransport(handle, { isBackground: true }) };
  const client = createClient(own);
  const ownership = createLiveOwnership({ store: foundation.store, catalog, ambient, onError, snapshot });
  const clientOf = (user: UserInfo): Client =>
    createClient({
      ...own,
      token: foundation.loopback.tokenOf(user),
      headers: { 'user-agent': controllerProgram(ambient.vocabulary) },
    });
  const controllers = createControllers(settings, foundation, api, { client, clientOf, ownership });
  const repair = new AllocationRepair(api.resources.allocators, { clock: ambient.clock, onError });
  const compactor = startCompactor(settings, foundation);
  const flowObjects = new FlowObjectsReconciler(catalog, settings);
  return { connection, client, ownership, controllers, compactor, repair, flowObjects };
}

type ControllerSources = Pick<BackgroundWork, 'client' | 'ownership'> & {
  clientOf(user: UserInfo): Client;
};

function createControllers(
  settings: ApiServerSettings,
  { access, store }: ServerFoundation,
  { resources, customResources }: ServedApi,
  { client, clientOf, ownership }: ControllerSources,
): readonly Controller[] {
  const { certificateSigning, rootCertificateAuthority } = settings;
  const controllers = settings.readOnly ? false : settings.controllers;
  const { disabledAdmissionPlugins = [] } = settings;
  const { ambient, onError } = settings;
  const isServed = (group: string, plural: string, version = 'v1'): boolean =>
    resources.catalog.find(groupName(ambient.vocabulary, group), version, plural) !== undefined;
  // an authorizer without roles knows no rights of service accounts, which servers behind this one ask for
  const knowsAccounts = settings.authorizer === undefined || access.usesRoles;
  const defaultUser = (name: ControllerName): UserInfo | undefined =>
    knowsAccounts ? controllerUser(name, ambient.vocabulary) : undefined;
  const loops = createServerControllers(
    {
      ...(controllers !== undefined && { controllers }),
      ...(certificateSigning && { certificateSigning }),
      ...(rootCertificateAuthority !== undefined && { rootCertificateAuthority }),
      ...(isServed('', 'resourcequotas') &&
        !disabledAdmissionPlugins.includes('ResourceQuota') && { quotaStore: store }),
      makesAccounts: isServed('', 'pods') && !disabledAdmissionPlugins.includes('ServiceAccount'),
      ownership,
      usesRoles: access.usesRoles,
      servesFlowSchemas: isServed('flowcontrol.apiserver.', 'flowschemas'),
      servesSigningRequests: isServed('certificates.', 'certificatesigningrequests'),
      servesMigrations: isServed('storagemigration.', 'storageversionmigrations', 'v1alpha1'),
      ...(isServed('admissionregistration.', 'validatingadmissionpolicies') && {
        kinds: typedKinds(resources.catalog),
      }),
    },
    {
      ...{ client, ambient, onError },
      clientOf(name) {
        const user = settings.controllerUser?.(name) ?? defaultUser(name);
        return user ? clientOf(user) : client;
      },
    },
  );
  return controllers === false ? [] : [customResources.controller, ...loops];
}

function startCompactor(settings: ApiServerSettings, { storage }: ServerFoundation): Disposable | undefined {
  const {
    ambient,
    onError,
    compactionMilliseconds: intervalMilliseconds = COMPACTION_MILLISECONDS,
  } = settings;
  if (intervalMilliseconds <= 0 || settings.readOnly) return undefined;
  return createCompactor(storage, { clock: ambient.clock, intervalMilliseconds, onError });
}
