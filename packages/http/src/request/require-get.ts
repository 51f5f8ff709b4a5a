import { StatusError } from '@ashlar/core';

/** Rejects other methods than GET and HEAD, for paths that are served for these only (semantics/discovery#discovery). @throws StatusError 405 */
export function requireGet(method: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw StatusError.methodNotAllowed();
}
