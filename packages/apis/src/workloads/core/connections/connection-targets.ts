import { type ApiObject, goQuote, StatusError } from '@ashlar/core';
import type { ConnectionParameters, ConnectionTarget, ReadTarget } from '@ashlar/registry';
import type { Service } from '../../services/service-types.ts';
import type { Node } from '../node-validation.ts';
import type { Pod } from '../pod-types.ts';

/** A container of a pod on a host, as `attach` and `exec` need it. */
export const runningContainer: ConnectionTarget = async (name, read, parameters) => {
  const pod: Pod = await read(name);
  requireContainer(pod, parameters);
  await requireHost(pod, read);
  return undefined;
};

/** A container with logs; a pod without a host has none yet. */
export const loggedContainer: ConnectionTarget = async (name, read, parameters) => {
  const pod: Pod = await read(name);
  requireContainer(pod, parameters);
  if (!pod.spec?.nodeName) return 'nothing yet';
  await requireHost(pod, read);
  return undefined;
};

/** A pod on a host, whatever its containers. */
export const runningPod: ConnectionTarget = async (name, read) => {
  await requireHost(await read(name), read);
  return undefined;
};

/** A pod with an address. */
export const addressedPod: ConnectionTarget = async (name, read) => {
  const { status }: Pod = await read(partsOf(name, 'pod').name);
  if (!(status as { readonly podIP?: string } | undefined)?.podIP)
    throw StatusError.badRequest('address not allowed');
  return undefined;
};

/** A node with an address. */
export const addressedNode: ConnectionTarget = async (name, read) => {
  requireAddress(await read(partsOf(name, 'node').name));
  return undefined;
};

/** A service with endpoints. */
export const servedService: ConnectionTarget = async (name, read) => {
  const { name: own, port } = partsOf(name, 'service');
  if (/^\d+$/.test(port)) requirePort(own, Number(port), await read(own));
  const { subsets = [] } = (await read(own, 'endpoints')) as ApiObject & { subsets?: readonly object[] };
  if (subsets.length === 0)
    throw StatusError.serviceUnavailable(`no endpoints available for service "${own}"`);
  return undefined;
};

function requirePort(name: string, number: number, { spec = {} }: Service): void {
  if (spec.ports?.some(({ port }) => port === number)) return;
  throw StatusError.serviceUnavailable(`no service port ${number} found for service "${name}"`);
}

/** @throws StatusError 400 if the pod has no host, 404 if that is not there, 500 if that has no address */
async function requireHost({ metadata, spec }: Pod, read: ReadTarget): Promise<void> {
  if (!spec?.nodeName) throw StatusError.badRequest(`pod ${metadata.name} does not have a host assigned`);
  requireAddress(await read(spec.nodeName, 'nodes'));
}

function requireAddress({ status }: Node): void {
  if (status?.addresses?.length) return;
  const message = 'no preferred addresses found; known addresses: []';
  throw new StatusError({ code: 500, reason: '', message });
}

/** @throws StatusError 400 if the container is not one of the pod, or if none is named where there are several */
function requireContainer({ metadata, spec }: Pod, parameters: ConnectionParameters): void {
  const { initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const containers = spec?.containers ?? [];
  const [wanted = ''] = parameters.all('container');
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (wanted !== '' && !names.includes(wanted))
    throw StatusError.badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  if (wanted !== '' || containers.length === 1) return;
  const choice = containers.length > 0 ? `, choose one of: [${names.join(' ')}]` : '';
  throw StatusError.badRequest(`a container name must be specified for pod ${metadata.name}${choice}`);
}

const SCHEMES = new Set(['', 'http', 'https']);

/** Parses `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`. @throws StatusError 400 */
function partsOf(id: string, what: string): { readonly name: string; readonly port: string } {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length <= 3 && name !== '' && SCHEMES.has(scheme)) return { name, port };
  throw StatusError.badRequest(`invalid ${what} request ${goQuote(id)}`);
}
