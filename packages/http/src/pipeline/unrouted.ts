import { StatusError } from '@ashlar/core';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import { PlainTextError } from './plain-text-error.ts';

/** What is answered on a path that belongs to nothing. */
export const PAGE_NOT_FOUND = '404 page not found\n';

/** A path that leads nowhere: among built-in types a Status says so, among users' plain text (semantics/status#situations). */
export function unrouted(builtIn: boolean): Error {
  return builtIn ? StatusError.pathNotFound() : new PageNotFoundError();
}

/** The same below a group, of which the core group is always built in. */
export function unroutedBelow(catalog: ApiCatalog, group: string): Error {
  return unrouted(isBuiltInGroup(catalog, group));
}

/** Whether a group has built-in types. */
export function isBuiltInGroup(catalog: ApiCatalog, group: string): boolean {
  const ofGroup = catalog.versions(group).flatMap(({ resources }) => [...resources.values()]);
  return group === '' || ofGroup.some(({ definition }) => definition.dialect === 'built-in');
}

/** A path of which nobody knows where it leads: users may have a type for it one day. */
export class PageNotFoundError extends PlainTextError {
  override readonly name = 'PageNotFoundError';

  constructor() {
    super(404, PAGE_NOT_FOUND);
  }
}

/** Seconds after which to ask again. */
const RETRY_AFTER = 5;

/** What such a path is answered with until everything that is stored is served: it may lead somewhere then. */
export const notYetServed = (): StatusError =>
  StatusError.serviceUnavailable(
    'the request has been made before all known HTTP paths have been installed, please try again',
    RETRY_AFTER,
  );
