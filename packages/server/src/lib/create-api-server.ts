import { type AdmissionPlugin, createAdmissionChain, createNamespaceLifecycle } from '@ashlar/admission';
import { builtInResources } from '@ashlar/apis';
import { type Client, createClient } from '@ashlar/client';
import {
  createApiServiceController,
  createNamespaceController,
  createRoleAggregationController,
} from '@ashlar/controllers';
import type { Ambient, Handler, ServerRequest, Transport, Vocabulary } from '@ashlar/core';
import { Metrics, orchVocabulary } from '@ashlar/core';
import {
  apiServices,
  type ConvertObjects,
  customResourceDefinitions,
  type InstalledDefinition,
} from '@ashlar/extensions';
import {
  ApiCatalog,
  type ConnectHandler,
  createApiHandler,
  createInProcessTransport,
  HealthChecks,
  type InFlightLimits,
  type ServerVersion,
  toFetchHandler,
} from '@ashlar/http';
import { gzipPieces, nodeAmbient } from '@ashlar/http-node';
import { defaultFeatureGates, type FeatureGates } from '@ashlar/lifecycle';
import { createStoredResource, type ResourceDefinition } from '@ashlar/registry';
import {
  createCompactor,
  createMemoryStore,
  createObjectStore,
  type KeyValueStore,
  type ObjectStore,
} from '@ashlar/storage';
import { bootstrapNamespaces } from './bootstrap-namespaces.ts';
import { createLoopbackIdentity, ITSELF } from './loopback-identity.ts';
import { objectCodec } from './object-codec.ts';
import { serveDefinitions } from './serve-definitions.ts';
import {
  type AuthenticatorOption,
  type AuthorizerOption,
  createServerAccess,
  type ServerAccess,
} from './server-access.ts';
import { serverVersion } from './server-version.ts';
import {
  audiencesOf,
  issuerDocuments,
  type ServiceAccountOptions,
  tokenRequestOptions,
} from './service-accounts.ts';
import { whileUnavailable } from './while-unavailable.ts';
import { withAdmittedActions } from './with-admitted-actions.ts';

/** What a server is made of. Everything has a default; a server without options keeps its objects in memory and allows everybody everything. */
export interface ApiServerOptions {
  /** Names on the wire; default: those of the specification. */
  readonly vocabulary?: Vocabulary;
  /** Where objects are kept; closed with the server. Default: memory. */
  readonly storage?: KeyValueStore;
  /** Resource types beside the built-in ones. */
  readonly resources?: readonly ResourceDefinition[];
  /** Default: everybody is anonymous. */
  readonly authenticator?: AuthenticatorOption;
  /** Tokens of service accounts; without it there are none. */
  readonly serviceAccounts?: ServiceAccountOptions;
  /** For whom tokens must be that name somebody; default: the issuer of service accounts' tokens. */
  readonly apiAudiences?: readonly string[];
  /** Default: everybody may do everything. */
  readonly authorizer?: AuthorizerOption;
  /** Keeps nodes from changing what is not theirs; default false. */
  readonly nodeRestriction?: boolean;
  /** Which features are on; default: those that are on by default. */
  readonly featureGates?: FeatureGates;
  /** Asked behind the built-in plugins, in order. */
  readonly admission?: readonly AdmissionPlugin[];
  /** Time and randomness; tests pass their own. */
  readonly ambient?: Ambient;
  readonly version?: ServerVersion;
  readonly limits?: InFlightLimits;
  /** Answers what only a host can: `pods/log`, `services/proxy`. Without it such requests are refused with 501. */
  readonly connect?: ConnectHandler;
  /** Longest that a request may take that is no watch, in milliseconds; default 60,000. */
  readonly requestTimeoutMilliseconds?: number;
  /** Seconds that events are kept; default 3,600. */
  readonly eventTtlSeconds?: number;
  /** How old superseded states are before the storage lets go of them, in milliseconds; default 300,000. 0 leaves it to the storage. */
  readonly compactionMilliseconds?: number;
  /** Calls outwards: conversion webhooks. Without it requests fail that need one. */
  readonly transport?: Transport;
  /** Converts users' objects from one version to another in this process, in the place of the webhooks that definitions name. */
  readonly convert?: ConvertObjects;
  /** Loops that the server runs itself, such as the one that empties namespaces; default true. */
  readonly controllers?: boolean;
  /** Told of failures that are nobody's refusal. */
  readonly onError?: (error: unknown, request?: ServerRequest) => void;
}

/** A server without a listener: a handler, and ways to call it. */
export interface ApiServer extends AsyncDisposable {
  readonly handler: Handler;
  /** The same as a web-standard function. */
  fetch(request: Request): Promise<Response>;
  /** A client with every right that calls the handler without a socket. */
  readonly client: Client;
  readonly catalog: ApiCatalog;
  readonly health: HealthChecks;
  /** What is counted, served at `/metrics`; a host adds its own. */
  readonly metrics: Metrics;
  readonly store: ObjectStore;
  readonly vocabulary: Vocabulary;
  /** Fulfilled when the system namespaces are there. */
  readonly ready: Promise<void>;
  /** Serves a further resource type. */
  serve(definition: ResourceDefinition): void;
  /**
   * An independent server with the same content, in well under a millisecond: both share what neither has changed.
   * @throws TypeError where the storage cannot be forked
   */
  fork(): ApiServer;
  close(): Promise<void>;
}

/**
 * Makes an API server: built-in types and yours, over a store, behind a handler.
 * @example
 * const server = createApiServer();
 * await server.ready;
 * const response = await server.fetch(new Request('http://server/api/v1/namespaces'));
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const vocabulary = options.vocabulary ?? orchVocabulary;
  const ambient = options.ambient ?? nodeAmbient(vocabulary);
  const { eventTtlSeconds, featureGates = defaultFeatureGates } = options;
  const settings = { ...options, featureGates, ambient: { ...ambient, vocabulary } };
  const { serviceAccounts } = options;
  const audiences = audiencesOf(options.apiAudiences, serviceAccounts);
  const builtIn = builtInResources(vocabulary, {
    ...(eventTtlSeconds !== undefined && { eventTtlSeconds }),
    ...(serviceAccounts && { tokens: tokenRequestOptions(serviceAccounts, audiences, settings.ambient) }),
  });
  return assemble(
    settings,
    [
      ...builtIn,
      customResourceDefinitions(vocabulary),
      apiServices(vocabulary),
      ...(options.resources ?? []),
    ],
    options.storage ?? createMemoryStore(ambient),
  );
}

/** As the reference compacts (semantics D6). */
const COMPACTION_MILLISECONDS = 300_000;

type Settings = ApiServerOptions & { readonly ambient: Ambient; readonly featureGates: FeatureGates };

function assemble(
  settings: Settings,
  definitions: readonly ResourceDefinition[],
  storage: KeyValueStore,
  installed?: ReadonlyMap<string, InstalledDefinition>,
): ApiServer {
  const { ambient, featureGates } = settings;
  const { vocabulary } = ambient;
  const store = createObjectStore(storage, { codec: objectCodec, clock: ambient.clock });
  const namespace = async (name: string, { atHand }: { readonly atHand: boolean }) =>
    (await store.get(`/namespaces/${name}`, atHand ? { notOlderThan: 0 } : {}))?.object;
  const loopback = createLoopbackIdentity(ambient.random);
  const access = createServerAccess(store, loopback, settings);
  const admission = createAdmissionChain([
    createNamespaceLifecycle({ vocabulary, clock: ambient.clock, namespace }),
    ...access.admission,
    ...(settings.admission ?? []),
  ]);
  const catalog = new ApiCatalog(vocabulary, { cbor: featureGates.isEnabled('CBORServingAndStorage') });
  const served: ResourceDefinition[] = [];
  const serve = (definition: ResourceDefinition): void => {
    catalog.add(
      withAdmittedActions(definition, admission),
      definition.storage ?? createStoredResource(definition, { store, ambient, admission }),
    );
    served.push(definition);
  };
  // reviews ask the rooms of this very server: a fork has its own
  for (const review of access.resources) catalog.add(review, review.storage ?? {});
  definitions.forEach(serve);
  const onError = (error: unknown): void => settings.onError?.(error);
  const { transport, convert } = settings;
  const custom = serveDefinitions({
    ...{ store, ambient, admission, catalog, transport, convert, installed },
    onError,
  });
  const health = new HealthChecks();
  health.add({ name: 'ping', check: () => {} });
  const metrics = new Metrics();
  const handler = createHandler(settings, catalog, health, access, metrics);
  const namespaces = catalog.find('', 'v1', 'namespaces');
  const closing = new AbortController();
  const persist = <T>(work: () => Promise<T>): Promise<T> =>
    whileUnavailable(work, ambient.clock, closing.signal);
  const hasNamespaces = namespaces
    ? persist(() => bootstrapNamespaces(namespaces, ITSELF, vocabulary))
    : Promise.resolve();
  const ready = hasNamespaces
    .then(() => persist(() => access.bootstrapRoles(catalog)))
    .then(() => custom.installer.start());
  health.add({ name: 'poststarthook/bootstrap-namespaces', check: () => hasNamespaces }, [
    'healthz',
    'readyz',
  ]);
  if (access.usesRoles) health.add({ name: 'poststarthook/rbac/bootstrap-roles', check: () => ready });
  const client = createClient({
    transport: createInProcessTransport(handler),
    baseUrl: 'http://in-process',
    token: loopback.token,
    ambient,
  });
  const surroundings = { client, ambient, onError };
  const controllers = [
    custom.controller,
    createNamespaceController(surroundings),
    createApiServiceController(surroundings),
    ...(access.usesRoles ? [createRoleAggregationController(surroundings)] : []),
  ];
  const start = (): void => {
    if (settings.controllers !== false) for (const controller of controllers) controller.start();
  };
  ready.then(start, (error) => closing.signal.aborted || settings.onError?.(error));
  const { compactionMilliseconds: intervalMilliseconds = COMPACTION_MILLISECONDS } = settings;
  const compactor =
    intervalMilliseconds > 0 &&
    createCompactor(storage, { clock: ambient.clock, intervalMilliseconds, onError });
  const close = async (): Promise<void> => {
    if (compactor) compactor[Symbol.dispose]();
    closing.abort(new Error('the server has been closed'));
    await Promise.all(controllers.map((controller) => controller.close()));
    access[Symbol.dispose]();
    custom.installer[Symbol.dispose]();
    // the namespaces that are still being made go into a store that is still open
    await ready.catch(() => {});
    await storage[Symbol.asyncDispose]();
  };
  return {
    handler,
    client,
    fetch: toFetchHandler(handler),
    catalog,
    health,
    metrics,
    store,
    vocabulary,
    ready,
    serve,
    close,
    [Symbol.asyncDispose]: close,
    fork() {
      if (!storage.fork) throw new TypeError('this storage cannot be forked');
      return assemble(settings, served, storage.fork(), custom.installer.installed);
    },
  };
}

function createHandler(
  settings: Settings,
  catalog: ApiCatalog,
  health: HealthChecks,
  { authenticator, authorizer }: ServerAccess,
  metrics: Metrics,
): Handler {
  const { ambient, onError, limits, connect, requestTimeoutMilliseconds, featureGates } = settings;
  return createApiHandler({
    catalog,
    ambient,
    health,
    authenticator,
    authorizer,
    metrics,
    version: settings.version ?? serverVersion,
    ...(featureGates.isEnabled('APIResponseCompression') && { compress: gzipPieces }),
    ...(settings.serviceAccounts && { documents: issuerDocuments(settings.serviceAccounts) }),
    ...(limits && { limits }),
    ...(connect && { connect }),
    ...(requestTimeoutMilliseconds && { requestTimeoutMilliseconds }),
    ...(onError && { onError }),
  });
}
