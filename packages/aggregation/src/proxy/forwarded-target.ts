import type { ForwardedRequest } from '@ashlar/http';

/** Path and query of a forwarded request: decoded and encoded anew, the query sorted by name (semantics/discovery#aggregation-in-detail). */
export interface ForwardedTarget {
  readonly path: string;
  readonly target: string;
}

export function forwardedTarget({ path, query }: Pick<ForwardedRequest, 'path' | 'query'>): ForwardedTarget {
  const escaped = escapedPath(path);
  const parameters = query.sorted().map(([name, value]) => `${escapedQuery(name)}=${escapedQuery(value)}`);
  return { path: escaped, target: parameters.length > 0 ? `${escaped}?${parameters.join('&')}` : escaped };
}

/** A path in URLs; a slash, and what has no other meaning there, stays. */
function escapedPath(path: string): string {
  return encodeURIComponent(path).replaceAll(/%(2F|3A|40|26|3D|2B|24|2C|3B)|[!'()*]/g, (part) =>
    part.startsWith('%') ? decodeURIComponent(part) : percentOf(part),
  );
}

/** A name or value in queries; a space is a plus sign. */
const escapedQuery = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, percentOf)
    .replaceAll('%20', '+');

const percentOf = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
