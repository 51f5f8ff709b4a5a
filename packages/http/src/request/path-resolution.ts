import { goQuote, StatusError, validatePathSegment } from '@ashlar/core';
import type { ActionSubresource, ConnectSubresource, SubresourceDefinition } from '@ashlar/registry';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { servedSubresource } from '../catalog/served-subresource.ts';
import { unrouted, unroutedBelow } from '../pipeline/unrouted.ts';
import type { RequestInfo } from './request-info.ts';

/** What a path leads to. */
export interface ResolvedPath {
  /** The resource, or its subresource of another kind. */
  readonly served: ServedResource;
  /** What is asked of the path's resource. */
  readonly verbs: readonly string[];
  /** A subresource of the same kind. */
  readonly subresource?: SubresourceDefinition;
  /** A subresource to which things are sent, and whose it is. */
  readonly action?: { readonly definition: ActionSubresource; readonly parent: ServedResource };
  /** A subresource that a handler of the host answers. */
  readonly connection?: ConnectSubresource;
}

/**
 * Finds the resource of a path, or the reason why there is none: each kind of unknown path has its own answer (semantics/status#situations).
 * @throws StatusError 400, 404, 405; PlainTextError 404
 */
export function resolvePath(catalog: ApiCatalog, info: RequestInfo, method: string): ResolvedPath {
  const served = catalog.find(info.apiGroup, info.apiVersion, info.resource);
  if (!served) throw unroutedBelow(catalog, info.apiGroup);
  const connection = served.definition.connections?.find(({ name }) => name === info.subresource);
  if (info.rest.length > 0 && !connection?.withPath) throw unrouted(isBuiltIn(served));
  if (info.name !== '' && isCreatedOnly(served)) throw unrouted(isBuiltIn(served));
  requireScope(served, info, method);
  requireSegment(info);
  if (connection) return { served, verbs: connection.verbs, connection };
  return info.subresource === '' ? { served, verbs: served.verbs } : subresourcePath(served, info);
}

/** A namespaced object has a namespace in its path, one of the whole cluster has none. */
function requireScope(served: ServedResource, info: RequestInfo, method: string): void {
  const { namespaced } = served;
  const { inNamespace } = info;
  const acrossNamespaces = namespaced && !inNamespace;
  const urlName = info.verb === 'list' || info.verb === 'deletecollection' ? '' : info.name;
  if ((inNamespace && !namespaced) || (acrossNamespaces && urlName !== '' && info.verb !== 'watch'))
    throw unrouted(isBuiltIn(served));
  if (acrossNamespaces && method !== 'GET' && method !== 'HEAD')
    throw isBuiltIn(served) ? StatusError.methodNotAllowed() : unrouted(false);
}

/** What is asked and answered, and kept by nobody, has no names. */
const isCreatedOnly = ({ verbs }: ServedResource): boolean => verbs.length === 1 && verbs[0] === 'create';

const isBuiltIn = ({ definition }: ServedResource): boolean => definition.dialect === 'built-in';

function requireSegment({ name, verb }: RequestInfo): void {
  if (name === '' || verb === 'list' || verb === 'watch' || verb === 'deletecollection') return;
  const errors = validatePathSegment(name, false);
  if (errors.length > 0)
    throw StatusError.badRequest(`Name parameter invalid: ${goQuote(name)}: ${errors.join(', ')}`);
}

function subresourcePath(parent: ServedResource, info: RequestInfo): ResolvedPath {
  const subresource = parent.version.subresources?.find(({ name }) => name === info.subresource);
  if (subresource) return { served: parent, verbs: subresource.verbs, subresource };
  const served = servedSubresource(parent, info.subresource);
  const definition = parent.definition.actions?.find(({ name }) => name === info.subresource);
  if (served && definition) return { served, verbs: ['create'], action: { definition, parent } };
  if (served) return { served, verbs: served.verbs };
  throw isBuiltIn(parent) ? unrouted(true) : StatusError.notFound(parent.groupResource, info.name);
}
