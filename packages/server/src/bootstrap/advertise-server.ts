import type { ResourceClient } from '@ashlar/client';
import {
  type ApiObject,
  type Clock,
  groupName,
  type JsonValue,
  jsonEqual,
  type Timer,
  undefinedIfNotFound,
} from '@ashlar/core';
import type { ApiServer } from '../assembly/api-server.ts';
import { ServerLeases } from './server-leases.ts';

export interface AdvertiseOptions {
  /** IP address at which the programs of the cluster reach the server. Without it the service has no endpoints. */
  readonly address?: string;
  /** Port of the listener. */
  readonly port: number;
  /** IP address of the service. Default 10.0.0.1. */
  readonly clusterIp?: string;
  readonly clock: Clock;
  /** Called with failures, which are followed by another attempt. */
  readonly onError?: (error: unknown) => void;
}

const INTERVAL_MILLISECONDS = 10_000;
const CLUSTER_IP = '10.0.0.1';
const PORT = 443;

/**
 * Maintains the service in namespace `default` by which the programs of a cluster find its API servers, with the endpoints of all servers over
 * the store, until it is disposed; then the endpoints of this server are removed. Does nothing if services are not served
 * (semantics/lifecycle#objects-at-start).
 * @example
 * await using service = await advertiseServer(server, { address: '192.0.2.2', port: 6443, clock });
 */
export async function advertiseServer(
  server: ApiServer,
  options: AdvertiseOptions,
): Promise<AsyncDisposable> {
  const advertised = new AdvertisedServer(server, options);
  if (server.catalog.find('', 'v1', 'services')) await advertised.start();
  return advertised;
}

interface Service extends ApiObject {
  readonly spec?: Readonly<Record<string, JsonValue>>;
}

/** An object without its type. */
interface AdvertisedObject {
  readonly metadata: ApiObject['metadata'];
  readonly [field: string]: unknown;
}

class AdvertisedServer implements AsyncDisposable {
  readonly #server: ApiServer;
  readonly #options: AdvertiseOptions;
  readonly #leases: ServerLeases | undefined;
  #timer: Timer | undefined;
  #round: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(server: ApiServer, options: AdvertiseOptions) {
    this.#server = server;
    this.#options = options;
    if (options.address !== undefined) this.#leases = new ServerLeases(server.store, options.address);
  }

  async start(): Promise<void> {
    this.#round = this.#reconcile(true);
    await this.#round;
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.setTimer(INTERVAL_MILLISECONDS, () => void this.start());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.clear();
    await this.#round;
    if (this.#timer && this.#leases) await this.#reconcile(false);
  }

  async #reconcile(isUp: boolean): Promise<void> {
    try {
      if (isUp) await this.#ensureService();
      if (!this.#leases) return;
      await (isUp ? this.#leases.renew() : this.#leases.remove());
      const addresses = await this.#leases.addresses();
      await this.#ensureEndpoints(addresses);
      await this.#ensureSlice(addresses);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  async #ensureService(): Promise<void> {
    const { vocabulary } = this.#server;
    const services = this.#resource<Service>('', 'services', 'Service');
    const ports = [{ name: 'https', protocol: 'TCP', port: PORT, targetPort: this.#options.port }];
    const stored = await found(services.get(vocabulary.name));
    if (!stored) {
      await services.create({
        metadata: { name: vocabulary.name, labels: { component: 'apiserver', provider: vocabulary.name } },
        spec: {
          ...{ type: 'ClusterIP', clusterIP: this.#options.clusterIp ?? CLUSTER_IP, ports },
          ...{ sessionAffinity: 'None', ipFamilyPolicy: 'SingleStack' },
        },
      });
      return;
    }
    if (stored.spec?.type === 'ClusterIP' && jsonEqual(stored.spec.ports ?? [], ports)) return;
    await services.update({ ...stored, spec: { ...stored.spec, type: 'ClusterIP', ports } });
  }

  async #ensureEndpoints(addresses: readonly string[]): Promise<void> {
    const { name, labelDomain } = this.#server.vocabulary;
    const subset = {
      addresses: addresses.map((ip) => ({ ip })),
      ports: [{ name: 'https', port: this.#options.port, protocol: 'TCP' }],
    };
    await this.#ensure(this.#resource('', 'endpoints', 'Endpoints'), {
      metadata: { name, labels: { [`endpointslice.${labelDomain}/skip-mirror`]: 'true' } },
      subsets: addresses.length > 0 ? [subset] : [],
    });
  }

  async #ensureSlice(addresses: readonly string[]): Promise<void> {
    const { name, labelDomain } = this.#server.vocabulary;
    const isV6 = this.#options.address?.includes(':') ?? false;
    const endpoints = addresses.filter((address) => address.includes(':') === isV6);
    await this.#ensure(this.#resource('discovery.', 'endpointslices', 'EndpointSlice'), {
      metadata: { name, labels: { [`${labelDomain}/service-name`]: name } },
      addressType: isV6 ? 'IPv6' : 'IPv4',
      endpoints: endpoints.map((address) => ({ addresses: [address], conditions: { ready: true } })),
      ports: [{ name: 'https', protocol: 'TCP', port: this.#options.port }],
    });
  }

  /** Creates an object, or restores its fields and labels. */
  async #ensure(resource: ResourceClient, { metadata, ...fields }: AdvertisedObject): Promise<void> {
    const stored = await found(resource.get(metadata.name ?? ''));
    if (!stored) {
      await resource.create({ metadata, ...fields });
      return;
    }
    const labels = { ...stored.metadata.labels, ...metadata.labels };
    const isSame = Object.entries({ ...fields, labels }).every(([field, expected]) => {
      const current = field === 'labels' ? stored.metadata.labels : stored[field];
      return jsonEqual((current ?? []) as JsonValue, (expected ?? []) as JsonValue);
    });
    if (!isSame) await resource.update({ ...stored, ...fields, metadata: { ...stored.metadata, labels } });
  }

  #resource<T extends ApiObject = ApiObject>(
    group: string,
    resource: string,
    kind: string,
  ): ResourceClient<T> {
    const { client, vocabulary } = this.#server;
    const reference = { group: groupName(vocabulary, group), version: 'v1', resource, kind };
    return client.resource<T>(reference).namespace('default');
  }
}

async function found<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    return undefinedIfNotFound(error);
  }
}
