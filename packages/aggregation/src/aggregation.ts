import { type Ambient, type JsonValue, jsonEqual, pause, printErrors, type Transport } from '@ashlar/core';
import type { AggregatedApis, ForwardHandler, PublishedApis, RegisteredVersion } from '@ashlar/http';
import type { ApiService } from './api-services/api-service.ts';
import { servesElsewhere } from './api-services/validate-api-service.ts';
import { withAvailability } from './availability/available-condition.ts';
import { checkAvailability } from './availability/check-availability.ts';
import { RecurringChecks } from './availability/recurring-checks.ts';
import type { BackendServices, ClientCertificate } from './backends/backend.ts';
import type { BackendConnection } from './backends/call-backend.ts';
import { BackendDescription } from './descriptions/backend-description.ts';
import { BackendDocuments } from './descriptions/backend-documents.ts';
import { forward } from './proxy/forward.ts';
import { OwnServices } from './registry/own-services.ts';
import { RegisteredService } from './registry/registered-service.ts';

export interface AggregationOptions {
  readonly ambient: Ambient;
  /** Reaches other servers. Without it none is available. */
  readonly transport?: Transport | undefined;
  readonly services: BackendServices;
  /** The client certificate for other servers, read for each request because it may be replaced. */
  readonly proxyClient?: (() => ClientCertificate | undefined) | undefined;
  /**
   * Names and prefixes of header fields, besides `X-Remote-…`, in which other servers look for identities: those of callers are not
   * passed on.
   */
  readonly identityHeaders?: readonly string[] | undefined;
  /** Whether the uid of the user is forwarded; default false. */
  readonly sendsUid?: boolean | undefined;
  /**
   * Changes the status of a stored API service; `change` returns undefined where it is right already. May fail: it is tried again
   * after the next check.
   */
  readonly updateStatus: (
    name: string,
    change: (stored: ApiService) => ApiService | undefined,
  ) => Promise<void>;
  /** Called with errors that no caller sees. By default they are printed. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Versions of groups that other servers serve, which are registered as API services. */
export interface Aggregation extends AggregatedApis, Disposable {
  /** An API service, new or changed; those of this server itself are always available. */
  set(service: ApiService): void;
  /** An API service that was deleted. */
  delete(service: ApiService): void;
  /** The service of a cluster, or its endpoints, have changed. */
  serviceChanged(namespace: string, name: string): void;
  /** Begins to check whether the servers are available. */
  start(): void;
}

/** Between two questions what a server publishes that has not changed. */
const DESCRIPTION_MILLISECONDS = 60_000;

/**
 * Creates the part of a server that passes requests on to others (semantics/discovery#aggregation). It follows no objects itself: its host
 * says what is stored.
 * @example
 * const aggregation = createAggregation({ ambient, transport, services, proxyClient, updateStatus });
 * aggregation.set(apiService);
 * aggregation.start();
 * const handler = createApiHandler({ aggregated: aggregation, ... });
 */
export function createAggregation(options: AggregationOptions): Aggregation {
  return new ServerAggregation(options);
}

class ServerAggregation implements Aggregation {
  readonly own: OwnServices;
  readonly #options: AggregationOptions;
  readonly #documents: BackendDocuments;
  readonly #checks: RecurringChecks;
  readonly #services = new Map<string, RegisteredService>();
  readonly #onError: (error: unknown) => void;
  #generation = 0;
  #inOrder: readonly RegisteredService[] = [];
  #sortedOf = -1;
  #isStarted = false;

  constructor(options: AggregationOptions) {
    this.#options = options;
    this.#documents = new BackendDocuments(options.ambient);
    this.#checks = new RecurringChecks(options.ambient.clock, (name) => this.#check(name));
    this.#onError = options.onError ?? printErrors('aggregation');
    this.own = new OwnServices({
      now: () => options.ambient.clock.now(),
      updateStatus: options.updateStatus,
      onError: this.#onError,
    });
  }

  get generation(): number {
    return this.#generation;
  }

  set(object: ApiService): void {
    const name = object.metadata.name ?? '';
    if (servesElsewhere(object, this.#options.ambient.vocabulary)) {
      this.own.delete(name);
      this.#keep(object);
    } else {
      this.#forget(name);
      this.own.set(object);
    }
  }

  #keep(object: ApiService): void {
    const name = object.metadata.name ?? '';
    const existing = this.#services.get(name);
    if (existing) {
      const isSame = isOnlyStatus(existing.object, object);
      existing.object = object;
      if (isSame) {
        if (existing.isContradicted) this.#checks.soon(name);
        return;
      }
      existing.describedAt = undefined;
    } else this.#services.set(name, this.#register(object));
    this.#generation++;
    if (this.#isStarted) this.#checks.now(name);
  }

  #register(object: ApiService): RegisteredService {
    const { group = '', version = '' } = object.spec;
    const changed = (): void => void this.#generation++;
    const onError = this.#onError;
    return new RegisteredService(
      object,
      new BackendDescription({ group, version }, this.#documents, { changed, onError }),
    );
  }

  delete({ metadata: { name = '' } }: ApiService): void {
    this.own.delete(name);
    this.#forget(name);
  }

  #forget(name: string): void {
    if (!this.#services.delete(name)) return;
    this.#generation++;
    this.#checks.forget(name);
  }

  serviceChanged(namespace: string, name: string): void {
    if (!this.#isStarted) return;
    for (const [registered, { service }] of this.#services)
      if (service.namespace === namespace && service.name === name) this.#checks.now(registered);
  }

  start(): void {
    this.#isStarted = true;
    this.own.start();
    for (const name of this.#services.keys()) this.#checks.now(name);
  }

  handlerOf(group: string, version: string): ForwardHandler | undefined {
    if (this.#services.size === 0) return undefined;
    const service = this.#services.get(`${version}.${group}`);
    return service?.group === group && service.version === version ? this.#handler(service) : undefined;
  }

  handlerOfDocument(path: string): ForwardHandler | undefined {
    for (const service of this.#sorted())
      if (service.description.published.v3?.has(path)) return this.#handler(service);
    return undefined;
  }

  versions(): readonly RegisteredVersion[] {
    return this.#sorted();
  }

  published(): readonly PublishedApis[] {
    return this.#sorted().map(({ description }) => description.published);
  }

  [Symbol.dispose](): void {
    // a check that is running finds nothing left to do
    this.#services.clear();
    this.#generation++;
    this.#checks[Symbol.dispose]();
  }

  #sorted(): readonly RegisteredService[] {
    if (this.#sortedOf !== this.#generation) {
      const sorted = [...this.#services].sort(([a], [b]) => (a < b ? -1 : 1));
      this.#inOrder = sorted.map(([, service]) => service);
      this.#sortedOf = this.#generation;
    }
    return this.#inOrder;
  }

  #handler(service: RegisteredService): ForwardHandler {
    const { ambient, transport, services, identityHeaders = [], sendsUid } = this.#options;
    const rules = {
      sendsUid,
      ambient,
      vocabulary: ambient.vocabulary,
      transport,
      identityHeaders: identityHeaders.filter((name) => name !== '').map(comparable),
    };
    const target = {
      isAvailable: service.isAvailable,
      limiter: service.limiter,
      tls: () => service.tls(this.#options.proxyClient?.()),
      origin: () => services.origin(service.service),
    };
    return (request) => forward(rules, target, request);
  }

  /** Returns whether the server is available. Never rejects. */
  async #check(name: string): Promise<boolean> {
    const service = this.#services.get(name);
    if (!service) return true;
    const { services, ambient, updateStatus } = this.#options;
    // of thousands that are due at once, each begins in a turn of its own
    await pause(ambient);
    const availability = await checkAvailability(services, {
      ...{ service: service.service, group: service.group, version: service.version },
      backendAt: (origin) => ({ ...this.#connectionTo(origin), tls: this.#tls(service, false) }),
    });
    if (this.#services.get(name) !== service) return true;
    service.found = availability;
    try {
      const change = (stored: ApiService): ApiService | undefined =>
        withAvailability(stored, availability, ambient.clock.now());
      if (change(service.object)) await updateStatus(name, change);
      if (availability.status === 'True') await this.#describe(service);
      else service.description.markOutdated();
    } catch (error) {
      if (this.#services.get(name) === service) this.#onError(error);
    }
    return availability.status === 'True';
  }

  async #describe(service: RegisteredService): Promise<void> {
    const now = this.#options.ambient.clock.monotonic();
    const { describedAt } = service;
    if (describedAt !== undefined && now - describedAt < DESCRIPTION_MILLISECONDS) return;
    service.describedAt = now;
    const origin = await this.#options.services.origin(service.service);
    await service.description.refresh({ ...this.#connectionTo(origin), tls: this.#tls(service, true) });
  }

  #tls(service: RegisteredService, isVerified: boolean): BackendConnection['tls'] {
    const proxyClient = this.#options.proxyClient?.();
    return isVerified ? service.tls(proxyClient) : service.unverifiedTls(proxyClient);
  }

  #connectionTo(origin: string): Omit<BackendConnection, 'tls'> {
    const { ambient, transport } = this.#options;
    const { clock, vocabulary } = ambient;
    const user = { name: `system:${vocabulary.namespacePrefix}-aggregator`, groups: ['system:masters'] };
    return { clock, transport, origin, user };
  }
}

const comparable = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Whether two states of an API service differ in nothing but what its checks write. */
function isOnlyStatus(before: ApiService, after: ApiService): boolean {
  return jsonEqual(withoutStatus(before), withoutStatus(after));
}

function withoutStatus({ status: _, metadata, ...rest }: ApiService): JsonValue {
  const { resourceVersion, managedFields, ...named } = metadata;
  return { ...rest, metadata: named } as unknown as JsonValue;
}
