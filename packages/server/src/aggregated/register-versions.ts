import type { ApiService } from '@ashlar/aggregation';
import type { Client, ResourceClient } from '@ashlar/client';
import {
  type ApiObject,
  groupName,
  type JsonValue,
  jsonEqual,
  StatusError,
  undefinedIfNotFound,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/** The service of a cluster by which its API servers reach this one. */
export interface AggregatedService {
  readonly namespace: string;
  readonly name: string;
  /** Default 443; with `externalName` the port of the listener. */
  readonly port?: number;
  /**
   * The name of the machine, for a server that runs outside of the cluster: the service is then created with it. Default: the service is
   * there, with endpoints.
   */
  readonly externalName?: string;
}

/** How versions are registered. */
export interface Registration {
  readonly service: AggregatedService & { readonly port: number };
  /** CAs of the server's certificate, PEM. */
  readonly certificateAuthority: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

interface Service extends ApiObject {
  readonly spec?: JsonValue;
}

/** Creates or updates the API services of the versions that types have, and the service if it is one of another machine. */
export async function registerVersions(
  client: Client,
  vocabulary: Vocabulary,
  versions: readonly GroupVersionName[],
  registration: Registration,
): Promise<void> {
  const { service } = registration;
  if (service.externalName !== undefined) await ensureService(client, service);
  const services = apiServicesOf(client, vocabulary);
  for (const version of versions) {
    const spec = specOf(version, registration);
    await ensure<ApiService>(services, nameOf(version), (stored) =>
      stored && jsonEqual(stored.spec as unknown as JsonValue, spec as unknown as JsonValue)
        ? undefined
        : { metadata: { name: nameOf(version) }, ...stored, spec },
    );
  }
}

/** Resolves when the cluster passes requests on to all versions. @throws the reason of the signal */
export async function whenAvailable(
  client: Client,
  vocabulary: Vocabulary,
  versions: readonly GroupVersionName[],
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(versions.map(nameOf));
  for await (const { object } of apiServicesOf(client, vocabulary).watch({ signal })) {
    const { metadata, status } = object;
    const available = status?.conditions?.find(({ type }) => type === 'Available');
    if (available?.status === 'True') missing.delete(metadata.name ?? '');
    if (missing.size === 0) return;
  }
}

export interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

/** The versions that types are served in, each once. @throws TypeError for a type of the core group */
export function versionsOf(definitions: readonly ResourceDefinition[]): readonly GroupVersionName[] {
  const found = new Map<string, GroupVersionName>();
  for (const { group, names, versions } of definitions) {
    if (group === '')
      throw new TypeError(`${names.plural} are of the core group, which only the cluster itself serves`);
    for (const { name, served } of versions)
      if (served) found.set(`${name}.${group}`, { group, version: name });
  }
  return [...found.values()];
}

const nameOf = ({ group, version }: GroupVersionName): string => `${version}.${group}`;

const apiServicesOf = (client: Client, vocabulary: Vocabulary): ResourceClient<ApiService> =>
  client.resource<ApiService>({
    group: groupName(vocabulary, 'apiregistration.'),
    version: 'v1',
    resource: 'apiservices',
    kind: 'APIService',
  });

function specOf(
  { group, version }: GroupVersionName,
  { service, certificateAuthority, groupPriority, versionPriority }: Registration,
): ApiService['spec'] {
  const { namespace, name, port } = service;
  return {
    service: { namespace, name, port },
    group,
    version,
    caBundle: Buffer.from(certificateAuthority).toString('base64'),
    groupPriorityMinimum: groupPriority,
    versionPriority,
  };
}

async function ensureService(
  client: Client,
  { namespace, name, externalName = '' }: AggregatedService,
): Promise<void> {
  const services = client
    .resource<Service>({ group: '', version: 'v1', resource: 'services', kind: 'Service' })
    .namespace(namespace);
  await ensure<Service>(services, name, (stored) => {
    const spec = stored?.spec as { readonly type?: string; readonly externalName?: string } | undefined;
    if (spec?.type === 'ExternalName' && spec.externalName === externalName) return undefined;
    return { metadata: { name }, ...stored, spec: { type: 'ExternalName', externalName } };
  });
}

/** Creates or updates an object, whoever else does. @param change returns undefined if the stored object is right */
async function ensure<T extends ApiObject>(
  resource: ResourceClient<T>,
  name: string,
  change: (stored: T | undefined) => object | undefined,
): Promise<void> {
  for (;;) {
    const stored = await resource.get(name).catch(undefinedIfNotFound);
    const changed = change(stored) as T | undefined;
    if (!changed) return;
    try {
      await (stored ? resource.update(changed) : resource.create(changed as never));
      return;
    } catch (error) {
      // another replica was faster
      if (!StatusError.is(error, 'Conflict') && !StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}
