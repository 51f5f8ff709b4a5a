import { goQuote, StatusError, validatePathSegment } from '@ashlar/core';
import type { SubresourceDefinition } from '@ashlar/registry';
import type { ApiCatalog } from './api-catalog.ts';
import { PlainTextError } from './plain-text-error.ts';
import type { RequestInfo } from './request-info.ts';
import type { ServedResource } from './served-resource.ts';

/** What a path leads to. */
export interface ResolvedPath {
  readonly served: ServedResource;
  readonly subresource: SubresourceDefinition | undefined;
}

/**
 * Finds the resource of a path, or the reason why there is none: each kind of unknown path has its own answer (semantics A4).
 * @throws StatusError 400, 404, 405; PlainTextError 404
 */
export function resolvePath(catalog: ApiCatalog, info: RequestInfo, method: string): ResolvedPath {
  const served = catalog.find(info.apiGroup, info.apiVersion, info.resource);
  if (!served) throw unknownResource(catalog, info);
  const builtIn = served.definition.dialect === 'built-in';
  if (info.rest.length > 0)
    throw builtIn ? StatusError.pathNotFound() : new PlainTextError(404, '404 page not found\n');
  requireScope(served, info, method);
  requireSegment(info);
  return { served, subresource: info.subresource === '' ? undefined : subresourceOf(served, info) };
}

function unknownResource(catalog: ApiCatalog, { apiGroup }: RequestInfo): Error {
  const ofGroup = catalog.versions(apiGroup).flatMap(({ resources }) => [...resources.values()]);
  const builtIn = apiGroup === '' || ofGroup.some(({ definition }) => definition.dialect === 'built-in');
  return builtIn ? StatusError.pathNotFound() : new PlainTextError(404, '404 page not found\n');
}

/** A namespaced object has a namespace in its path, one of the whole cluster has none. */
function requireScope(served: ServedResource, info: RequestInfo, method: string): void {
  const { namespaced } = served;
  const { inNamespace } = info;
  const acrossNamespaces = namespaced && !inNamespace;
  const urlName = info.verb === 'list' || info.verb === 'deletecollection' ? '' : info.name;
  if ((inNamespace && !namespaced) || (acrossNamespaces && urlName !== '' && info.verb !== 'watch'))
    throw wrongScope(served);
  if (acrossNamespaces && method !== 'GET' && method !== 'HEAD') {
    throw served.definition.dialect === 'built-in'
      ? StatusError.methodNotAllowed()
      : new PlainTextError(404, '404 page not found\n');
  }
}

function wrongScope(served: ServedResource): Error {
  return served.definition.dialect === 'built-in'
    ? StatusError.pathNotFound()
    : new PlainTextError(404, '404 page not found\n');
}

function requireSegment({ name, verb }: RequestInfo): void {
  if (name === '' || verb === 'list' || verb === 'watch' || verb === 'deletecollection') return;
  const errors = validatePathSegment(name, false);
  if (errors.length > 0)
    throw StatusError.badRequest(`Name parameter invalid: ${goQuote(name)}: ${errors.join(', ')}`);
}

function subresourceOf(served: ServedResource, info: RequestInfo): SubresourceDefinition {
  const found = served.version.subresources?.find(({ name }) => name === info.subresource);
  if (found) return found;
  throw served.definition.dialect === 'built-in'
    ? StatusError.pathNotFound()
    : StatusError.notFound(served.groupResource, info.name);
}
