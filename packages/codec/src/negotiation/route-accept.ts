import { StatusError } from '@ashlar/core';
import { clauseTexts } from './accept-header.ts';
import { mediaTypeNames, type ServedMediaType, watchMediaTypeNames } from './media-types.ts';

/**
 * Media types of a route of built-in kinds: on GET of a collection including streaming ones
 * (semantics/encodings#accept).
 */
export function routeMediaTypes(served: readonly ServedMediaType[], isCollectionGet: boolean): string[] {
  const names = mediaTypeNames(served);
  return isCollectionGet ? [...names, ...watchMediaTypeNames(served)] : names;
}

/**
 * The check of routes of built-in kinds before anything else: some clause, up to `;`, is a wildcard for
 * everything or literally a type of the route. Custom resources have no such check
 * (semantics/encodings#accept).
 * @returns the 406 of the route (semantics/status#situations), or undefined if the check passes
 */
export function checkRouteAccept(
  header: string | undefined,
  served: readonly ServedMediaType[],
  isCollectionGet: boolean,
): StatusError | undefined {
  const names = routeMediaTypes(served, isCollectionGet);
  if (!header || clauseTexts(header).some((clause) => routeSends(clause, names))) return undefined;
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${names.join(', ')}`,
    details: {},
  });
}

function routeSends(clause: string, names: readonly string[]): boolean {
  const text = clause.trim();
  const semicolon = text.indexOf(';');
  const type = semicolon < 0 ? text : text.slice(0, semicolon).trimEnd();
  return type === '*/*' || names.includes(type);
}
