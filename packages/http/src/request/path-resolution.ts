import { requireNameParameter, StatusError } from '@ashlar/core';
import type { ActionSubresource, ConnectSubresource, SubresourceDefinition } from '@ashlar/registry';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { servedSubresource } from '../catalog/served-subresource.ts';
import { pathNotFound, pathNotFoundInGroup } from '../pipeline/path-not-found.ts';
import type { RequestInfo } from './request-info.ts';

/** The resource or subresource of a path. */
export interface ResolvedPath {
  /** The resource, or its subresource of another kind. */
  readonly served: ServedResource;
  /** The verbs that the path supports. */
  readonly verbs: readonly string[];
  /** A subresource of the same kind. */
  readonly subresource?: SubresourceDefinition;
  /** An action and the resource that has it. */
  readonly action?: { readonly definition: ActionSubresource; readonly parent: ServedResource };
  /** A subresource that the host handles. */
  readonly connection?: ConnectSubresource;
}

/**
 * Resolves the resource of a path; each kind of unknown path has its own error (semantics/status#situations).
 * @param onFound called with the resource before its subresource is looked for
 * @throws StatusError 400, 404, 405; PlainTextError 404
 */
export function resolvePath(
  catalog: ApiCatalog,
  info: RequestInfo,
  method: string,
  onFound: (served: ServedResource) => void = () => {},
): ResolvedPath {
  const served = catalog.find(info.apiGroup, info.apiVersion, info.resource);
  if (!served) throw pathNotFoundInGroup(catalog, info.apiGroup);
  requireWatchPath(served, info);
  const connection = served.definition.connections?.find(({ name }) => name === info.subresource);
  if (info.rest.length > 0 && !connection?.withPath) throw pathNotFound(isBuiltIn(served));
  if (info.name !== '' && isCreatedOnly(served)) throw pathNotFound(isBuiltIn(served));
  requireScope(served, info, method);
  onFound(served);
  if (connection) return named(info, method, { served, verbs: connection.verbs, connection });
  if (info.subresource !== '') return named(info, method, subresourcePath(served, info));
  if (method !== 'POST' && method in METHOD_VERBS) requireSegment(info);
  const action = createdAction(catalog, served);
  return { served, verbs: served.verbs, ...(action && { action }) };
}

/** Checks that a path of the deprecated form is one of a kind that can be watched: built-in kinds have no other such paths. */
function requireWatchPath(served: ServedResource, { pathVerb, subresource }: RequestInfo): void {
  if (pathVerb !== 'watch' || !isBuiltIn(served)) return;
  if (subresource !== '' || !served.verbs.includes('watch')) throw pathNotFound(true);
}

const METHOD_VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Checks that a request that a subresource supports names an object: its segment may be empty (`pods//log`). */
function named(info: RequestInfo, method: string, path: ResolvedPath): ResolvedPath {
  if (!path.verbs.includes(METHOD_VERBS[method] ?? '')) return path;
  if (info.name === '' && isBuiltIn(path.served)) throw StatusError.badRequest('name must be provided');
  requireSegment(info);
  return path;
}

/** The action that a create of a resource runs. */
function createdAction(catalog: ApiCatalog, { definition, version }: ServedResource): ResolvedPath['action'] {
  const { group, createsAction } = definition;
  if (!createsAction) return undefined;
  const parent = catalog.find(group, version.name, createsAction.plural);
  const action = parent?.definition.actions?.find(({ name }) => name === createsAction.action);
  return parent && action && { definition: action, parent };
}

/** Checks that paths of namespaced objects have a namespace, and others have none. */
function requireScope(served: ServedResource, info: RequestInfo, method: string): void {
  const { namespaced } = served;
  const { inNamespace } = info;
  const acrossNamespaces = namespaced && !inNamespace;
  const namesObject = info.isObjectPath || (info.pathVerb !== '' && info.name !== '' && isBuiltIn(served));
  if ((inNamespace && !namespaced) || (acrossNamespaces && namesObject))
    throw pathNotFound(isBuiltIn(served));
  // what is only created has no path across namespaces
  if (acrossNamespaces && isCreatedOnly(served)) throw pathNotFound(isBuiltIn(served));
  if (acrossNamespaces && method !== 'GET' && method !== 'HEAD')
    throw isBuiltIn(served) ? StatusError.methodNotAllowed() : pathNotFound(false);
}

/** Whether a resource supports only create: reviews are not stored and have no names. */
const isCreatedOnly = ({ verbs }: ServedResource): boolean => verbs.length === 1 && verbs[0] === 'create';

const isBuiltIn = ({ definition }: ServedResource): boolean => definition.dialect === 'built-in';

function requireSegment({ name, verb }: RequestInfo): void {
  if (name === '' || verb === 'list' || verb === 'watch' || verb === 'deletecollection') return;
  requireNameParameter(name);
}

function subresourcePath(parent: ServedResource, info: RequestInfo): ResolvedPath {
  const subresource = parent.version.subresources?.find(({ name }) => name === info.subresource);
  if (subresource) return { served: parent, verbs: subresource.verbs, subresource };
  const served = servedSubresource(parent, info.subresource);
  const definition = parent.definition.actions?.find(({ name }) => name === info.subresource);
  if (served && definition) return { served, verbs: ['create'], action: { definition, parent } };
  if (served) return { served, verbs: served.verbs };
  throw isBuiltIn(parent) ? pathNotFound(true) : StatusError.notFound(parent.groupResource, info.name);
}
