import { type ApiObject, groupName, optionError, type TransportResponse } from '@ashlar/core';
import { type ClientRequest, type ConnectionOptions, ServerConnection } from '../connection/connection.ts';
import { createResourceClient, type ResourceClient } from './resource-client.ts';
import type { ResourceReference } from './resource-options.ts';
import { type DefinedResource, referenceOf } from './resource-reference.ts';

/** A client of one server. */
export interface Client {
  /**
   * A resource of the server, in every namespace; `.namespace(name)` narrows it. A group that ends with a dot
   * is completed by the vocabulary: `coordination.`
   */
  resource<T extends ApiObject = ApiObject>(reference: ResourceReference): ResourceClient<T>;
  /** The resource of a type that was defined, typed by its definition. */
  resource<T extends ApiObject, New extends ApiObject>(
    definition: DefinedResource<T, New>,
  ): ResourceClient<T, New>;
  /** Any request, for paths without a verb here. @throws StatusError for statuses other than 2xx */
  request(request: ClientRequest): Promise<unknown>;
  /** As `request`, with the body unread. */
  open(request: ClientRequest): Promise<TransportResponse>;
}

/**
 * A typed client over any transport. Rejections of the server are thrown as `StatusError`, errors of the
 * transport unchanged. Requests are retried after the `Retry-After` of the server.
 *
 * @example
 * interface ConfigMap extends ApiObject { readonly data?: Readonly<Record<string, string>> }
 * const client = createClient({ transport, baseUrl: 'https://127.0.0.1:6443', ambient, token: 'admin-token'
 * });
 * const configMaps = client.resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps', kind:
 * 'ConfigMap' });
 * const { data } = await configMaps.namespace('default').get('a');
 */
export function createClient(options: ConnectionOptions): Client {
  checkConnection(options);
  const connection = new ServerConnection(options);
  const { vocabulary } = options.ambient;
  return {
    resource: <T extends ApiObject, New extends ApiObject>(
      resource: ResourceReference | DefinedResource<T, New>,
    ): ResourceClient<T, New> => {
      const reference = referenceOf(resource);
      const group = groupName(vocabulary, reference.group);
      return createResourceClient<T, New>(connection, { ...reference, group });
    },
    request: (request) => connection.value(request),
    open: (request) => connection.open(request),
  };
}

/** @throws TypeError */
function checkConnection(options: unknown): void {
  // no check of names: the connection of a configuration has more
  const { transport, baseUrl, ambient } = (options ?? {}) as Partial<ConnectionOptions>;
  const wrong = (name: string, expected: string, actual: unknown): never => {
    throw optionError('createClient', name, expected, actual);
  };
  if (typeof transport?.request !== 'function')
    wrong('transport', 'a transport, such as createNodeTransport() or createFetchTransport()', transport);
  if (typeof baseUrl !== 'string' || !/^(https?:\/\/|\/|$)/.test(baseUrl))
    wrong('baseUrl', 'a URL, such as "https://127.0.0.1:6443"', baseUrl);
  if (!ambient?.clock || !ambient.vocabulary)
    wrong('ambient', 'an ambient, such as nodeAmbient(kubernetesVocabulary)', ambient);
}
