import type { BackendServices, ServiceFault, ServicePort } from '@ashlar/aggregation';
import type { ApiObject, Random } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';

interface NamedPort {
  readonly name?: string;
  readonly port: number;
}

interface Service extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly NamedPort[] | null;
  };
}

interface Endpoints extends ApiObject {
  readonly subsets?:
    | readonly {
        readonly addresses?: readonly { readonly ip: string }[] | null;
        readonly ports?: readonly NamedPort[] | null;
      }[]
    | null;
}

export interface StoredServicesOptions {
  readonly random: Random;
  /** Whether services are reached at one of their endpoints instead of their cluster IP. */
  readonly routesToEndpoints?: boolean | undefined;
}

/** Returns where the services of a cluster are: at the cluster IP of the stored service, or at one of its endpoints. */
export function storedServices(
  store: ObjectStore,
  { random, routesToEndpoints = false }: StoredServicesOptions,
): BackendServices {
  const stored = async <T extends ApiObject>(key: string): Promise<T | undefined> =>
    (await store.get(key, { notOlderThan: 0 }))?.object as T | undefined;
  const serviceOf = ({ namespace, name }: ServicePort): Promise<Service | undefined> =>
    stored(`/services/${namespace}/${name}`);
  const endpointsOf = ({ namespace, name }: ServicePort): Promise<Endpoints | undefined> =>
    stored(`/endpoints/${namespace}/${name}`);
  return {
    async origin(reference) {
      const found = await serviceOf(reference);
      if (!found) throw new Error(`service "${reference.name}" not found`);
      const { type, externalName = '' } = found.spec ?? {};
      if (type === 'ExternalName') return originAt(externalName, reference.port);
      if (!routesToEndpoints) return clusterOrigin(found, reference);
      return endpointOrigin(
        requirePort(found, reference),
        await endpointsOf(reference),
        reference.name,
        random,
      );
    },
    async faultOf(reference) {
      const found = await serviceOf(reference);
      if (!found) return serviceFault('ServiceNotFound', `${textOf(reference)} is not present`);
      // others are reached in ways that are not known here
      if ((found.spec?.type ?? 'ClusterIP') !== 'ClusterIP') return undefined;
      const port = portOf(found, reference);
      if (!port)
        return serviceFault(
          'ServicePortError',
          `${textOf(reference)} is not listening on port ${reference.port}`,
        );
      return endpointsFault(reference, port, await endpointsOf(reference));
    },
  };
}

const textOf = ({ namespace, name }: ServicePort): string => `service/${name} in "${namespace}"`;

const serviceFault = (reason: string, message: string): ServiceFault => ({ reason, message });

function endpointsFault(
  reference: ServicePort,
  { name = '' }: NamedPort,
  endpoints: Endpoints | undefined,
): ServiceFault | undefined {
  if (!endpoints) return serviceFault('EndpointsNotFound', `cannot find endpoints for ${textOf(reference)}`);
  if (addressesOf(endpoints, name).length > 0) return undefined;
  return serviceFault(
    'MissingEndpoints',
    `endpoints for ${textOf(reference)} have no addresses with port name "${name}"`,
  );
}

const portOf = ({ spec }: Service, { port }: ServicePort): NamedPort | undefined =>
  (spec?.ports ?? []).find((candidate) => candidate.port === port);

function requirePort(service: Service, reference: ServicePort): NamedPort {
  const found = portOf(service, reference);
  if (!found) throw new Error(`no service port ${reference.port} found for service "${reference.name}"`);
  return found;
}

function clusterOrigin(service: Service, reference: ServicePort): string {
  const { type = 'ClusterIP', clusterIP = '' } = service.spec ?? {};
  if (type === 'ClusterIP' && clusterIP === 'None')
    throw new Error(`cannot route to service with ClusterIP "${clusterIP}"`);
  requirePort(service, reference);
  if (clusterIP === '') throw new Error(`service "${reference.name}" has no cluster IP`);
  return originAt(clusterIP, reference.port);
}

interface EndpointAddress {
  readonly ip: string;
  readonly port: number;
}

/** The addresses that listen on a port of a service, which has the same name there. */
function addressesOf({ subsets }: Endpoints, portName: string): readonly EndpointAddress[] {
  return (subsets ?? []).flatMap(({ addresses, ports }) =>
    (ports ?? [])
      .filter(({ name = '' }) => name === portName)
      .flatMap(({ port }) => (addresses ?? []).map(({ ip }) => ({ ip, port }))),
  );
}

/** One of the endpoints, by chance. */
function endpointOrigin(
  { name = '' }: NamedPort,
  endpoints: Endpoints | undefined,
  service: string,
  random: Random,
): string {
  const addresses = endpoints ? addressesOf(endpoints, name) : [];
  const [byte = 0, next = 0] = random.bytes(new Uint8Array(2));
  const chosen = addresses[(byte * 256 + next) % addresses.length];
  if (!chosen) throw new Error(`no endpoints available for service "${service}"`);
  return originAt(chosen.ip, chosen.port);
}

const originAt = (host: string, port: number): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
