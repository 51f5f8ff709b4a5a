import type { Authentication, Authenticator, ServerRequest } from '@ashlar/core';
import { authenticatesTokens } from '../tokens/token-authenticator.ts';
import { ANONYMOUS_USER, UNAUTHENTICATED_GROUP } from './authenticated-group.ts';

/** Where anonymous requests are accepted. */
export interface AnonymousOptions {
  /** The only paths that accept anonymous requests, compared exactly; by default all paths. */
  readonly paths?: readonly string[];
}

const ANONYMOUS: Authentication = {
  outcome: 'authenticated',
  user: { name: ANONYMOUS_USER, groups: [UNAUTHENTICATED_GROUP] },
};

/**
 * Authenticates requests without credentials as `system:anonymous`. Rejected credentials stay rejected
 * (semantics/access#authentication).
 */
export function withAnonymous(inner: Authenticator, { paths }: AnonymousOptions = {}): Authenticator {
  const allowed = paths && new Set(paths);
  const admit = (result: Authentication, request: ServerRequest): Authentication => {
    if (result.outcome !== 'none') return result;
    return !allowed || allowed.has(pathOf(request.url)) ? ANONYMOUS : result;
  };
  return {
    authenticate(request) {
      const result = inner.authenticate(request);
      return result instanceof Promise
        ? result.then((settled) => admit(settled, request))
        : admit(result, request);
    },
    ...(authenticatesTokens(inner) && {
      authenticateToken: (token: string, audiences?: readonly string[]) =>
        inner.authenticateToken(token, audiences),
    }),
  };
}

/**
 * Whether anonymous requests are accepted: as configured; by default unless every request is allowed anyway
 * (semantics/access#authentication).
 *
 * @param configured the configured value, such as that of `--anonymous-auth`
 * @param authorizationModes names of the authorizers in use, such as `RBAC`
 */
export function isAnonymousEnabled(
  configured: boolean | undefined,
  authorizationModes: readonly string[],
): boolean {
  return configured ?? !authorizationModes.includes('AlwaysAllow');
}

/** The path of a request target as it is routed, percent-decoded if valid: a number sign does not end it. */
function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
