import { groupName, type Handler } from '@ashlar/core';
import type { InstalledDefinition } from '@ashlar/extensions';
import {
  type ApiCatalog,
  createApiHandler,
  defaultInFlightLimits,
  RequestGate,
  StoredObjectCounts,
} from '@ashlar/http';
import { gzipPieces } from '@ashlar/http-node';
import { featureGatesOf } from '@ashlar/lifecycle';
import type { ResourceDefinition } from '@ashlar/registry';
import { type ServedAggregation, serveAggregation } from '../aggregation/served-aggregation.ts';
import { emulatedVersion } from '../emulation/emulated-resources.ts';
import { createLiveFlowControl, type LiveFlowControl } from '../live/live-flow-control.ts';
import { type ServedDefinitions, serveDefinitions } from './serve-definitions.ts';
import { ServedResources } from './served-resources.ts';
import type { ServerFoundation } from './server-foundation.ts';
import type { ApiServerSettings } from './server-settings.ts';
import { serverVersion } from './server-version.ts';
import { issuerDocuments } from './service-accounts.ts';

/** What a server serves, and the handler that answers its requests. */
export interface ServedApi {
  readonly resources: ServedResources;
  readonly customResources: ServedDefinitions;
  readonly aggregated: ServedAggregation;
  /** Counts the objects of what is served, for metrics. */
  readonly storedObjects: StoredObjectCounts;
  /** Undefined where requests are limited by their number alone. */
  readonly flowControl: LiveFlowControl | undefined;
  /** Answers callers. */
  readonly gate: RequestGate;
  /** Answers the server itself, which may see more than callers. */
  readonly internal: Handler;
}

/** What a new server serves. */
export interface ServedTypes {
  readonly definitions: readonly ResourceDefinition[];
  /** Users' types that the original server of a fork serves. */
  readonly installed: ReadonlyMap<string, InstalledDefinition> | undefined;
}

export function createServedApi(
  settings: ApiServerSettings,
  foundation: ServerFoundation,
  { definitions, installed }: ServedTypes,
): ServedApi {
  const { ambient, convert, onError } = settings;
  const { store, admission, resolveService, metrics, webhookTransport: transport } = foundation;
  const resources = new ServedResources(settings, foundation, definitions);
  const { catalog } = resources;
  const customResources = serveDefinitions({
    ...{ store, ambient, admission, catalog, transport, resolveService, convert, installed, onError },
    metrics,
    retriesNames: settings.featureGates.isEnabled('RetryGenerateName'),
  });
  const storedObjects = new StoredObjectCounts(metrics, catalog);
  const aggregated = serveAggregation(settings, foundation, catalog);
  const flowControl = flowControlOf(settings, foundation, catalog);
  const served = { catalog: resources.published, aggregated, flowControl };
  const gate = new RequestGate(createHandler(settings, foundation, served));
  const internal =
    resources.published === catalog ? gate.handler : createInternalHandler(settings, foundation, catalog);
  return { resources, customResources, aggregated, storedObjects, flowControl, gate, internal };
}

/** Without authentication all callers are one user; without flow schemas there is nothing to classify by. */
function flowControlOf(
  settings: ApiServerSettings,
  { store, metrics }: ServerFoundation,
  catalog: ApiCatalog,
): LiveFlowControl | undefined {
  const { ambient, limits, priorityAndFairness = settings.authenticator !== undefined } = settings;
  const group = groupName(ambient.vocabulary, 'flowcontrol.apiserver.');
  if (!priorityAndFairness || !catalog.find(group, 'v1', 'flowschemas')) return undefined;
  const { readOnly, mutating } = { ...defaultInFlightLimits, ...limits };
  // no limit at all is none of seats
  if (settings.priorityAndFairness === undefined && !(readOnly + mutating > 0)) return undefined;
  return createLiveFlowControl(store, settings, { seats: readOnly + mutating, metrics });
}

/** The catalog, without what only callers need. */
function createInternalHandler(
  { ambient, onError }: ApiServerSettings,
  { health, access, lifetime }: ServerFoundation,
  catalog: ApiCatalog,
): Handler {
  const { authenticator, authorizer } = access;
  return createApiHandler({
    ...{ catalog, ambient, health, authenticator, authorizer, version: serverVersion, onError },
    isComplete: () => lifetime.isComplete,
  });
}

/** Version v2 is there since the format is stable. */
function aggregatedDiscoveryOf({
  emulation,
  featureGates,
}: ApiServerSettings): readonly ('v2' | 'v2beta1')[] {
  const GATE = 'AggregatedDiscoveryEndpoint';
  if (!featureGates.isEnabled(GATE)) return [];
  const isStable = !emulation || featureGatesOf(emulation.release)[GATE]?.stage === 'stable';
  return isStable ? ['v2', 'v2beta1'] : ['v2beta1'];
}

function createHandler(
  settings: ApiServerSettings,
  { health, access, metrics, lifetime, auditor }: ServerFoundation,
  {
    catalog,
    aggregated,
    flowControl,
  }: Pick<ServedApi, 'aggregated' | 'flowControl'> & { readonly catalog: ApiCatalog },
): Handler {
  const { ambient, onError, limits, connect, requestTimeoutMilliseconds, featureGates } = settings;
  const { minimumWatchSeconds, allowsOrigin, strictTransportSecurity } = settings;
  const { serviceAccounts, emulation, audit, profiler, serverAddress } = settings;
  const version = settings.version ?? emulatedVersion(emulation, serverVersion);
  const { authenticator, authorizer } = access;
  const authenticated = settings.authenticator !== undefined;
  const { anonymousFrom = authenticated ? 'anywhere' : {} } = settings;
  return createApiHandler({
    ...{ catalog, ambient, health, authenticator, authorizer, metrics, version, onError },
    aggregated: aggregated.aggregation,
    ...(flowControl && { flowControl: flowControl.control }),
    aggregatedDiscovery: aggregatedDiscoveryOf(settings),
    isComplete: () => lifetime.isComplete,
    ...(featureGates.isEnabled('APIResponseCompression') && { compress: gzipPieces }),
    deletesUnreadable: featureGates.isEnabled('AllowUnsafeMalformedObjectDeletion'),
    ...(serviceAccounts && { documents: issuerDocuments(serviceAccounts, serverAddress) }),
    ...(anonymousFrom !== 'anywhere' && { anonymousFrom }),
    // without authentication all callers are one user
    limits: authenticated ? { ...limits } : { readOnlyPerUser: 0, mutatingPerUser: 0, ...limits },
    ...(typeof audit === 'function' && { audit }),
    ...(auditor && { auditor }),
    ...(connect && { connect }),
    ...(profiler && { profiler }),
    ...(serverAddress && { serverAddress }),
    ...(requestTimeoutMilliseconds && { requestTimeoutMilliseconds }),
    ...(minimumWatchSeconds !== undefined && { minimumWatchSeconds }),
    ...(allowsOrigin && { allowsOrigin }),
    ...(strictTransportSecurity !== undefined && { strictTransportSecurity }),
  });
}
