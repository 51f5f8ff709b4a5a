import { StatusError } from '@ashlar/core';
import { type ApiCatalog, hasDialect } from '../catalog/api-catalog.ts';
import { PlainTextError } from './plain-text-error.ts';

/** The body of the response for an unknown path. */
export const PAGE_NOT_FOUND = '404 page not found\n';

/** Returns the error for an unknown path: a Status among built-in types, plain text among custom types (semantics/status#situations). */
export function pathNotFound(builtIn: boolean): Error {
  return builtIn ? StatusError.pathNotFound() : new PageNotFoundError();
}

/** Returns the error for an unknown path below a group; the core group is always built in. */
export function pathNotFoundInGroup(catalog: ApiCatalog, group: string): Error {
  return pathNotFound(isBuiltInGroup(catalog, group));
}

/** Whether a group has built-in types. */
export function isBuiltInGroup(catalog: ApiCatalog, group: string): boolean {
  return group === '' || catalog.versions(group).some((version) => hasDialect(version, 'built-in'));
}

/** An unknown path, which a custom type may serve later. */
export class PageNotFoundError extends PlainTextError {
  override readonly name = 'PageNotFoundError';

  constructor() {
    super(404, PAGE_NOT_FOUND);
  }
}

/** Seconds after which to retry. */
const RETRY_AFTER = 5;

/** Returns the error for an unknown path until the catalog is complete. */
export const notYetServed = (): StatusError =>
  StatusError.serviceUnavailable(
    'the request has been made before all known HTTP paths have been installed, please try again',
    RETRY_AFTER,
  );
