import { apiVersionOf, type GroupVersion, type GroupVersionResource } from '@ashlar/core';

/** The path of a collection, an object or a subresource; an empty namespace is the entire cluster. */
export function resourcePath(
  { group, version, resource }: GroupVersionResource,
  namespace: string,
  ...below: readonly string[]
): string {
  const scope = namespace === '' ? [] : ['namespaces', namespace];
  const segments = [...scope, resource, ...below].map(encodeSegment);
  return `${groupVersionPath({ group, version })}/${segments.join('/')}`;
}

/** The path of a version of a group, which lists its resources. */
export function groupVersionPath(served: GroupVersion): string {
  return `${served.group === '' ? '/api' : '/apis'}/${apiVersionOf(served)}`;
}

/** @throws TypeError for a segment that would lead to another path */
function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw new TypeError(`a name in a path cannot be "${segment}"`);
  }
  return encodeURIComponent(segment);
}
