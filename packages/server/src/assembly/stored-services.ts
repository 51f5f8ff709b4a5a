import type { ServiceResolver } from '@ashlar/admission';
import type { ApiObject } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';

interface Service extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly port: number }[] | null;
  };
}

/** Returns where webhooks that are services are reached: at the cluster IP of the stored service. */
export function storedServices(store: ObjectStore): ServiceResolver {
  return async ({ namespace, name, port }) => {
    const found = await store.get(`/services/${namespace}/${name}`, { notOlderThan: 0 });
    if (!found) throw new Error(`service "${name}" not found`);
    return originOf(found.object as Service, name, port);
  };
}

function originOf({ spec = {} }: Service, name: string, port: number): string {
  const { type = 'ClusterIP', clusterIP = '', externalName = '', ports } = spec;
  if (type === 'ExternalName') return `https://${externalName}:${port}`;
  if (type === 'ClusterIP' && clusterIP === 'None')
    throw new Error(`cannot route to service with ClusterIP "${clusterIP}"`);
  if (!(ports ?? []).some((candidate) => candidate.port === port))
    throw new Error(`no service port ${port} found for service "${name}"`);
  if (clusterIP === '') throw new Error(`service "${name}" has no cluster IP`);
  return `https://${clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP}:${port}`;
}
