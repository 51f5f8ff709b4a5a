import { type ApiObject, StatusError } from '@ashlar/core';
import type { ConnectionRequest, RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type {
  ConnectionOptions,
  ConnectSubresource,
  SubresourceKind,
} from '../definition/subresource-kinds.ts';
import { subresourceDecoder, withSubresourceKind } from './subresource-admission.ts';

const kinds: WeakMap<ConnectionOptions, SubresourceKind> = new WeakMap();

/**
 * Asks admission whether a caller may be connected (semantics/admission#where-it-runs). It sees the options of the connection.
 * @returns the options, which admission may have changed
 * @throws StatusError 405 if the type has no such subresource, or no options
 */
export async function admitConnection(
  resource: StoredResource,
  context: RequestContext,
  { subresource, name, options }: ConnectionRequest,
): Promise<ApiObject> {
  const { admission, definition, groupResource } = resource;
  const connection = definition.connections?.find((candidate) => candidate.name === subresource);
  if (!connection?.options) throw StatusError.methodNotSupported(groupResource, 'connect');
  const kind = optionsKind(connection, connection.options, resource, context.version);
  const parentRequest = resource.admissionRequest(context, 'CONNECT', { name, subresource, object: options });
  const request = withSubresourceKind(parentRequest, kind, resource, []);
  const mutated = (await admission.mutate(request)) ?? options;
  const object = mutated === options ? options : subresourceDecoder(kind, resource).settle(mutated);
  await admission.validate({ ...request, object });
  return object;
}

function optionsKind(
  { name, kind }: ConnectSubresource,
  options: ConnectionOptions,
  { definition: { group } }: StoredResource,
  version: string,
): SubresourceKind {
  const existing = kinds.get(options);
  if (existing) return existing;
  const kindOfOptions = { name, group, version, kind, schema: options.schema };
  kinds.set(options, kindOfOptions);
  return kindOfOptions;
}
