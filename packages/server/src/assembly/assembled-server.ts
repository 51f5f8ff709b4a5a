import {
  type AdmissionChain,
  type AdmissionPlugin,
  createAdmissionChain,
  createMutatingWebhooks,
  createNamespaceLifecycle,
  createValidatingWebhooks,
  type MatchingEnvironment,
  type ServiceResolver,
} from '@ashlar/admission';
import { type Client, type ConnectionOptions, createClient } from '@ashlar/client';
import type { Controller } from '@ashlar/controllers';
import {
  type Ambient,
  groupName,
  type Handler,
  MAXIMUM_OBJECT_BYTES,
  Metrics,
  optionError,
  sleep,
  type Vocabulary,
} from '@ashlar/core';
import type { InstalledDefinition } from '@ashlar/extensions';
import {
  ApiCatalog,
  createApiHandler,
  createInProcessTransport,
  HealthChecks,
  RequestGate,
  type ServedResource,
  toFetchHandler,
} from '@ashlar/http';
import { gzipPieces } from '@ashlar/http-node';
import type { FeatureGates } from '@ashlar/lifecycle';
import { createStoredResource, type ResourceDefinition } from '@ashlar/registry';
import { createCompactor, createObjectStore, type KeyValueStore, type ObjectStore } from '@ashlar/storage';
import { bootstrapNamespaces } from '../bootstrap/bootstrap-namespaces.ts';
import { bootstrapPriorityClasses } from '../bootstrap/bootstrap-priority-classes.ts';
import { createLiveOwnership, type LiveOwnership } from '../live/live-ownership.ts';
import { createLiveWebhooks, type LiveWebhooks } from '../live/live-webhooks.ts';
import type { OwnershipSnapshot } from '../live/ownership-following.ts';
import type { ApiServer, ApiServerOptions, Caller, ForkChanges } from './api-server.ts';
import { checkIsNew } from './check-server-options.ts';
import { createLoopbackIdentity, ITSELF } from './loopback-identity.ts';
import { objectCodec } from './object-codec.ts';
import { checkRuntimeConfig, withRuntimeConfig } from './runtime-config.ts';
import { type ServedDefinitions, serveDefinitions } from './serve-definitions.ts';
import { createServerAccess, type ServerAccess } from './server-access.ts';
import { createServerControllers } from './server-controllers.ts';
import { serverHealthChecks } from './server-health.ts';
import { serverVersion } from './server-version.ts';
import { issuerDocuments } from './service-accounts.ts';
import { checkStoreVocabulary } from './store-vocabulary.ts';
import { storedServices } from './stored-services.ts';
import { whileUnavailable } from './while-unavailable.ts';

/** As the reference compacts (semantics/list-and-watch#watch). */
const COMPACTION_MILLISECONDS = 300_000;
/** Maximum time that a closing server waits for running requests. */
const CLOSING_MILLISECONDS = 10_000;

type WebhookNamespace = MatchingEnvironment['namespace'];

/** Options of a server with defaults applied. */
export type ApiServerSettings = ApiServerOptions & {
  readonly ambient: Ambient;
  readonly featureGates: FeatureGates;
};

/** What a fork takes over from the server that it is forked from. */
interface ForkedState {
  /** Whether the objects that every server has are there. */
  readonly isComplete: boolean;
  /** Users' types that are served. */
  readonly installed: ReadonlyMap<string, InstalledDefinition>;
  readonly ownership: OwnershipSnapshot | undefined;
}

/** A server over one store: it wires the packages together, runs the controllers and closes them. */
export class AssembledServer implements ApiServer {
  readonly handler: Handler;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly client: Client;
  readonly catalog: ApiCatalog;
  readonly health: HealthChecks;
  readonly metrics: Metrics = new Metrics();
  readonly store: ObjectStore;
  readonly vocabulary: Vocabulary;
  readonly ready: Promise<void>;
  readonly #settings: ApiServerSettings;
  readonly #connection: ConnectionOptions;
  readonly #storage: KeyValueStore;
  readonly #access: ServerAccess;
  readonly #webhooks: LiveWebhooks;
  readonly #admission: AdmissionChain;
  readonly #definitions: ServedDefinitions;
  readonly #ownership: LiveOwnership;
  readonly #controllers: readonly Controller[];
  readonly #compactor: Disposable | undefined;
  readonly #gate: RequestGate;
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();
  /** Whether every stored definition is served. */
  #isComplete = false;
  /** Definitions that were added by `serve`, for forks. */
  readonly #served: ResourceDefinition[] = [];
  readonly #onError = (error: unknown): void => this.#settings.onError?.(error);

  /** @param parent what a server over the same content already knows of it */
  constructor(
    settings: ApiServerSettings,
    definitions: readonly ResourceDefinition[],
    storage: KeyValueStore,
    parent?: ForkedState,
  ) {
    const { ambient, featureGates, livezGraceMilliseconds = 0 } = settings;
    this.#settings = settings;
    this.#storage = storage;
    this.vocabulary = ambient.vocabulary;
    this.store = createObjectStore(storage, {
      codec: objectCodec,
      clock: ambient.clock,
      ...(ambient.turns && { turns: ambient.turns }),
      maxObjectBytes: MAXIMUM_OBJECT_BYTES,
    });
    this.health = new HealthChecks({ ...ambient, livezGraceMilliseconds });
    const loopback = createLoopbackIdentity(ambient.random);
    this.#access = createServerAccess(this.store, loopback, { ...settings, metrics: this.metrics });
    this.#webhooks = createLiveWebhooks(this.store, {
      ambient,
      isOfStart: ({ user }) => !this.#isComplete && user.name === ITSELF.name,
      onError: this.#onError,
    });
    this.#admission = this.#createAdmission();
    this.catalog = new ApiCatalog(this.vocabulary, { cbor: featureGates.isEnabled('CBORServingAndStorage') });
    // access reviews use the authorizer of this server: a fork has its own
    const { runtimeConfig } = settings;
    if (runtimeConfig)
      checkRuntimeConfig(runtimeConfig, [...this.#access.resources, ...definitions], this.#needed());
    for (const review of this.#access.resources)
      this.catalog.add(withRuntimeConfig(review, runtimeConfig), review.storage ?? {});
    for (const definition of definitions) this.serve(definition);
    this.#definitions = this.#serveDefinitions(parent?.installed);
    this.#gate = new RequestGate(this.#createHandler());
    this.handler = this.#gate.handler;
    this.fetch = toFetchHandler(this.handler);
    this.#connection = {
      transport: createInProcessTransport(this.handler),
      baseUrl: 'http://in-process',
      token: loopback.token,
      ambient,
    };
    this.client = createClient(this.#connection);
    this.#ownership = createLiveOwnership({
      ...{ store: this.store, catalog: this.catalog, ambient, onError: this.#onError },
      snapshot: parent?.ownership,
    });
    this.#controllers = this.#createControllers();
    this.#compactor = this.#createCompactor();
    this.#isComplete = parent?.isComplete ?? false;
    this.ready = this.#start();
  }

  serve(definition: ResourceDefinition): void {
    checkIsNew(definition, this.#served);
    const { ambient } = this.#settings;
    const store = definition.createStore?.(definition, ambient) ?? this.store;
    const environment = { store, ambient, admission: this.#admission };
    this.catalog.add(
      withRuntimeConfig(definition, this.#settings.runtimeConfig),
      definition.storage ?? createStoredResource(definition, environment),
    );
    this.#served.push(definition);
  }

  clientAs({ name, groups = [] }: Caller): Client {
    if (typeof name !== 'string' || name === '')
      throw optionError('clientAs', 'name', 'the name of a user', name);
    const headers = { 'impersonate-user': name, 'impersonate-group': groups };
    return createClient({ ...this.#connection, headers });
  }

  fork({ ambient = this.#settings.ambient }: ForkChanges = {}): ApiServer {
    if (!this.#storage.fork) throw new TypeError('this storage cannot be forked');
    if (this.#served.some(({ createStore }) => createStore))
      throw new TypeError('a server with a table of its host cannot be forked: both would write to it');
    const { installed } = this.#definitions.installer;
    const state = {
      isComplete: this.#isComplete,
      installed,
      ownership: this.#ownership.snapshot(),
    };
    const settings = { ...this.#settings, ambient };
    const fork = new AssembledServer(settings, this.#served, this.#storage.fork(), state);
    return fork;
  }

  async drain(): Promise<void> {
    this.#stopping.abort(new Error('process is shutting down'));
    const { ambient, shutdownDelayMilliseconds = 0 } = this.#settings;
    if (shutdownDelayMilliseconds > 0)
      await sleep(ambient.clock, shutdownDelayMilliseconds, this.#closing.signal).catch(() => {});
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('process is shutting down'));
    this.#compactor?.[Symbol.dispose]();
    this.#closing.abort(new Error('the server has been closed'));
    // controllers stop while the server still answers them
    await Promise.all(this.#controllers.map((controller) => controller.close()));
    await this.#gate.close(this.#settings.ambient.clock, CLOSING_MILLISECONDS);
    this.#access[Symbol.dispose]();
    this.#webhooks[Symbol.dispose]();
    this.#definitions.installer[Symbol.dispose]();
    // namespaces that are still being created need an open store
    await this.ready.catch(() => {});
    await this.#storage[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Resources that the server itself uses and that `runtimeConfig` must not disable. */
  #needed(): readonly string[] {
    const { certificateSigning } = this.#settings;
    const of = (group: string, ...plurals: readonly string[]): readonly string[] =>
      plurals.map((plural) => `${groupName(this.vocabulary, group)}/v1/${plural}`);
    return [
      ...of('apiextensions.', 'customresourcedefinitions'),
      ...of('apiregistration.', 'apiservices'),
      ...(certificateSigning ? of('certificates.', 'certificatesigningrequests') : []),
      ...(this.#access.usesRoles
        ? of('rbac.authorization.', 'clusterroles', 'clusterrolebindings', 'roles', 'rolebindings')
        : []),
    ];
  }

  /** The plugins in the order of the reference; those of the host are the last. */
  #createAdmission(): AdmissionChain {
    const { ambient, admission = [] } = this.#settings;
    const { vocabulary, clock } = ambient;
    const namespace: WebhookNamespace = async (name, { allowCached }) =>
      (await this.store.get(`/namespaces/${name}`, allowCached ? { notOlderThan: 0 } : {}))?.object;
    return createAdmissionChain([
      createNamespaceLifecycle({ vocabulary, clock, namespace }),
      ...this.#access.admission,
      ...this.#webhookPlugins(namespace),
      ...admission,
    ]);
  }

  #webhookPlugins(namespace: WebhookNamespace): readonly AdmissionPlugin[] {
    const { ambient, transport } = this.#settings;
    const { vocabulary, clock } = ambient;
    const environment = {
      ...{ ambient, vocabulary, namespace },
      authorizer: this.#access.authorizer,
      caller: { clock, transport, resolveService: this.#resolveService },
    };
    return [
      createMutatingWebhooks({ ...environment, source: this.#webhooks.mutating }),
      createValidatingWebhooks({ ...environment, source: this.#webhooks.validating }),
    ];
  }

  get #resolveService(): ServiceResolver {
    return this.#settings.resolveService ?? storedServices(this.store);
  }

  #serveDefinitions(installed: ReadonlyMap<string, InstalledDefinition> | undefined): ServedDefinitions {
    const { ambient, transport, convert } = this.#settings;
    return serveDefinitions({
      store: this.store,
      ambient,
      admission: this.#admission,
      catalog: this.catalog,
      transport,
      resolveService: this.#resolveService,
      convert,
      installed,
      onError: this.#onError,
    });
  }

  #createHandler(): Handler {
    const { ambient, onError, limits, connect, requestTimeoutMilliseconds, featureGates, serviceAccounts } =
      this.#settings;
    const { authenticator, authorizer } = this.#access;
    const authenticated = this.#settings.authenticator !== undefined;
    const { anonymousFrom = authenticated ? 'anywhere' : {} } = this.#settings;
    return createApiHandler({
      catalog: this.catalog,
      ambient,
      health: this.health,
      authenticator,
      authorizer,
      metrics: this.metrics,
      version: this.#settings.version ?? serverVersion,
      isComplete: () => this.#isComplete,
      ...(featureGates.isEnabled('APIResponseCompression') && { compress: gzipPieces }),
      ...(serviceAccounts && { documents: issuerDocuments(serviceAccounts) }),
      ...(anonymousFrom !== 'anywhere' && { anonymousFrom }),
      // without authentication all callers are one user
      limits: authenticated ? { ...limits } : { readOnlyPerUser: 0, mutatingPerUser: 0, ...limits },
      ...(connect && { connect }),
      ...(requestTimeoutMilliseconds && { requestTimeoutMilliseconds }),
      ...(onError && { onError }),
    });
  }

  #createControllers(): readonly Controller[] {
    const { controllers, certificateSigning, rootCertificateAuthority, serviceAccountAdmission, ambient } =
      this.#settings;
    const certificates = groupName(this.vocabulary, 'certificates.');
    const requests = this.catalog.find(certificates, 'v1', 'certificatesigningrequests');
    const loops = createServerControllers(
      {
        ...(controllers !== undefined && { controllers }),
        ...(certificateSigning && { certificateSigning }),
        ...(rootCertificateAuthority !== undefined && { rootCertificateAuthority }),
        ...(serviceAccountAdmission && { serviceAccountAdmission }),
        ownership: this.#ownership,
        usesRoles: this.#access.usesRoles,
        servesSigningRequests: requests !== undefined,
      },
      { client: this.client, ambient, onError: this.#onError },
    );
    return controllers === false ? [] : [this.#definitions.controller, ...loops];
  }

  #createCompactor(): Disposable | undefined {
    const { ambient, compactionMilliseconds: intervalMilliseconds = COMPACTION_MILLISECONDS } =
      this.#settings;
    if (intervalMilliseconds <= 0) return undefined;
    return createCompactor(this.#storage, {
      clock: ambient.clock,
      intervalMilliseconds,
      onError: this.#onError,
    });
  }

  /** Creates the objects that every server has, reads the stored definitions and starts the controllers. */
  #start(): Promise<void> {
    // what a fork takes over has these objects, as they have become
    const isFork = this.#isComplete;
    const once = (work: () => Promise<void>): Promise<void> =>
      isFork ? Promise.resolve() : this.#persist(work);
    const checked = this.#persist(() => checkStoreVocabulary(this.#storage, this.vocabulary));
    const namespaces = checked.then(() => once(() => this.#bootstrapNamespaces()));
    const roles = namespaces.then(() => once(() => this.#access.bootstrapRoles(this.catalog)));
    const classes = roles.then(() => once(() => this.#bootstrapPriorityClasses()));
    const ready = classes.then(() => this.#definitions.installer.start());
    this.#addHealthChecks({
      'bootstrap-namespaces': namespaces,
      ...(this.#access.usesRoles && { 'rbac/bootstrap-roles': roles }),
      ...(this.#priorityClasses && { 'scheduling/bootstrap-system-priority-classes': classes }),
      'crd-informer-synced': ready,
    });
    ready.then(
      () => {
        this.#isComplete = true;
        this.#startControllers();
      },
      (error) => this.#closing.signal.aborted || this.#onError(error),
    );
    return ready;
  }

  #addHealthChecks(start: Readonly<Record<string, Promise<unknown>>>): void {
    const { ambient, healthChecks = [] } = this.#settings;
    const own = { storage: this.#storage, clock: ambient.clock, start, stopping: this.#stopping.signal };
    for (const check of [...serverHealthChecks(own), ...healthChecks]) this.health.add(check);
  }

  async #bootstrapNamespaces(): Promise<void> {
    const namespaces = this.catalog.find('', 'v1', 'namespaces');
    if (namespaces) await bootstrapNamespaces(namespaces, this.vocabulary);
  }

  get #priorityClasses(): ServedResource | undefined {
    return this.catalog.find(groupName(this.vocabulary, 'scheduling.'), 'v1', 'priorityclasses');
  }

  async #bootstrapPriorityClasses(): Promise<void> {
    if (this.#priorityClasses) await bootstrapPriorityClasses(this.#priorityClasses);
  }

  #startControllers(): void {
    for (const controller of this.#controllers) controller.start();
  }

  #persist<T>(work: () => Promise<T>): Promise<T> {
    return whileUnavailable(work, this.#settings.ambient.clock, this.#closing.signal);
  }
}
