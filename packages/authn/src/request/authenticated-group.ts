import type { Authentication, Authenticator, UserInfo } from '@ashlar/core';
import { authenticatesTokens } from '../tokens/token-authenticator.ts';

/** Group of all authenticated users. */
export const AUTHENTICATED_GROUP = 'system:authenticated';
/** Group of anonymous requests. */
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
/** User name of anonymous requests. */
export const ANONYMOUS_USER = 'system:anonymous';

/**
 * Adds every authenticated user to `system:authenticated`, after their other groups; anonymous users and
 * those who already are in one of the two groups stay unchanged (semantics/access#authentication).
 */
export function withAuthenticatedGroup(inner: Authenticator): Authenticator {
  // authenticators return the same user for the same credentials: the extended one is created once
  const twins = new WeakMap<UserInfo, UserInfo>();
  const widened = (result: Authentication): Authentication => {
    if (result.outcome !== 'authenticated' || isPlaced(result.user)) return result;
    let user = twins.get(result.user);
    if (!user) {
      user = { ...result.user, groups: [...result.user.groups, AUTHENTICATED_GROUP] };
      twins.set(result.user, user);
    }
    return { ...result, user };
  };
  const widen = (
    result: Authentication | Promise<Authentication>,
  ): Authentication | Promise<Authentication> =>
    result instanceof Promise ? result.then(widened) : widened(result);
  return {
    authenticate: (request) => widen(inner.authenticate(request)),
    ...(authenticatesTokens(inner) && {
      authenticateToken: (token: string, audiences?: readonly string[]) =>
        widen(inner.authenticateToken(token, audiences)),
    }),
  };
}

function isPlaced({ name, groups }: UserInfo): boolean {
  return (
    name === ANONYMOUS_USER || groups.includes(AUTHENTICATED_GROUP) || groups.includes(UNAUTHENTICATED_GROUP)
  );
}
