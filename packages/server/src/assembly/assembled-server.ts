import { type Client, type ConnectionOptions, createClient } from '@ashlar/client';
import {
  checkOptionNames,
  type Handler,
  type Metrics,
  optionError,
  sleep,
  type Vocabulary,
} from '@ashlar/core';
import type { EncryptionConfiguration } from '@ashlar/encryption';
import type { InstalledDefinition } from '@ashlar/extensions';
import { type ApiCatalog, type HealthChecks, toFetchHandler } from '@ashlar/http';
import type { ResourceDefinition } from '@ashlar/registry';
import type { KeyValueStore, ObjectStore } from '@ashlar/storage';
import type { OwnershipSnapshot } from '../live/ownership-following.ts';
import type { ApiServer, Caller, CloseOptions, ForkChanges } from './api-server.ts';
import { type BackgroundWork, createBackgroundWork } from './background-work.ts';
import { checkDefinition } from './check-server-options.ts';
import { connectWhenReady } from './connect-when-ready.ts';
import { createServedApi, type ServedApi } from './served-api.ts';
import { createServerFoundation, type OwnParts, type ServerFoundation } from './server-foundation.ts';
import { type ApiServerSettings, createServerMetrics } from './server-settings.ts';
import { startServer } from './start-server.ts';

/** Maximum time that a closing server waits for running requests. */
const CLOSING_MILLISECONDS = 10_000;

/** What a fork takes over from the server that it is forked from. */
interface ForkedState {
  /** Whether the objects that every server has are there. */
  readonly isComplete: boolean;
  /** Users' types that are served. */
  readonly installed: ReadonlyMap<string, InstalledDefinition>;
  readonly ownership: OwnershipSnapshot | undefined;
}

/** Wires the packages together to a server over one store. Each part is given those on which it depends. */
export function assembleServer(
  settings: ApiServerSettings,
  definitions: readonly ResourceDefinition[],
  storage: KeyValueStore,
  own: OwnParts,
  forked?: ForkedState,
): ApiServer {
  const foundation = createServerFoundation(
    settings,
    storage,
    own,
    forked?.isComplete ?? settings.readOnly === true,
  );
  const api = createServedApi(settings, foundation, { definitions, installed: forked?.installed });
  const background = createBackgroundWork(settings, foundation, api, forked?.ownership);
  const ready = startServer(settings, foundation, api, background);
  return new AssembledServer(settings, { foundation, api, background, ready });
}

interface ServerParts {
  readonly foundation: ServerFoundation;
  readonly api: ServedApi;
  readonly background: BackgroundWork;
  readonly ready: Promise<void>;
}

/** A server whose parts run; it forks them and closes them. */
class AssembledServer implements ApiServer {
  readonly handler: Handler;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly client: Client;
  readonly catalog: ApiCatalog;
  readonly health: HealthChecks;
  readonly metrics: Metrics;
  readonly store: ObjectStore;
  readonly vocabulary: Vocabulary;
  readonly ready: Promise<void>;
  readonly #settings: ApiServerSettings;
  readonly #parts: ServerParts;
  readonly #connection: ConnectionOptions;

  constructor(settings: ApiServerSettings, parts: ServerParts) {
    const { foundation, api, background } = parts;
    this.#settings = settings;
    this.#parts = parts;
    this.handler = api.gate.handler;
    this.fetch = toFetchHandler(this.handler);
    this.#connection = connectWhenReady(background.connection, foundation.lifetime, parts.ready);
    this.client = createClient(this.#connection);
    this.catalog = api.resources.catalog;
    this.health = foundation.health;
    this.metrics = foundation.metrics;
    this.store = foundation.store;
    this.vocabulary = settings.ambient.vocabulary;
    this.ready = parts.ready;
  }

  serve(definition: ResourceDefinition): void {
    checkDefinition('serve', 'definition', definition);
    this.#parts.api.resources.serve(definition);
  }

  async useEncryption(configuration: EncryptionConfiguration): Promise<void> {
    const { encryption } = this.#parts.foundation;
    if (!encryption)
      throw new TypeError('this server has no encryption of its own: set "encryption" of createApiServer');
    await encryption.exchange(configuration);
  }

  clientAs(user: Caller): Client {
    checkOptionNames('clientAs', user, ['name', 'groups']);
    const { name, groups = [] } = user;
    if (typeof name !== 'string' || name === '')
      throw optionError('clientAs', 'name', 'the name of a user', name);
    const headers = { 'impersonate-user': name, 'impersonate-group': groups };
    return createClient({ ...this.#connection, headers });
  }

  fork({ ambient = this.#settings.ambient }: ForkChanges = {}): ApiServer {
    const { foundation, api, background } = this.#parts;
    const { storage, lifetime } = foundation;
    const { definitions } = api.resources;
    if (!storage.fork) throw new TypeError('this storage cannot be forked');
    if (definitions.some(({ createStore }) => createStore))
      throw new TypeError('a server with a table of its host cannot be forked: both would write to it');
    const own = { metrics: createServerMetrics(this.#settings), encryption: undefined };
    return assembleServer({ ...this.#settings, ambient }, definitions, storage.fork(), own, {
      isComplete: lifetime.isComplete,
      installed: api.customResources.installer.installed,
      ownership: background.ownership.snapshot(),
    });
  }

  async drain({ graceMilliseconds = CLOSING_MILLISECONDS }: CloseOptions = {}): Promise<void> {
    const { lifetime } = this.#parts.foundation;
    const { ambient, shutdownDelayMilliseconds = 0, shutdownSendRetryAfter = false } = this.#settings;
    lifetime.stop();
    if (shutdownDelayMilliseconds > 0)
      await sleep(ambient.clock, shutdownDelayMilliseconds, lifetime.closing).catch(() => {});
    if (shutdownSendRetryAfter) await this.#parts.api.gate.refer(ambient.clock, graceMilliseconds);
  }

  async close({ graceMilliseconds = CLOSING_MILLISECONDS }: CloseOptions = {}): Promise<void> {
    const { foundation, api, background, ready } = this.#parts;
    foundation.lifetime.close();
    background.compactor?.[Symbol.dispose]();
    background.repair[Symbol.dispose]();
    background.flowObjects[Symbol.dispose]();
    // controllers stop while the server still answers them
    await Promise.all(background.controllers.map((controller) => controller.close()));
    api.flowControl?.[Symbol.dispose]();
    await api.gate.close(this.#settings.ambient.clock, graceMilliseconds);
    await foundation.auditor?.flush(graceMilliseconds);
    api.aggregated[Symbol.dispose]();
    foundation.access[Symbol.dispose]();
    foundation.webhooks[Symbol.dispose]();
    foundation.policies[Symbol.dispose]();
    foundation.limitRanges[Symbol.dispose]();
    foundation.quotas[Symbol.dispose]();
    api.customResources.installer[Symbol.dispose]();
    // namespaces that are still being created need an open store
    await ready.catch(() => {});
    foundation.encryption?.[Symbol.dispose]();
    await foundation.storage[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
