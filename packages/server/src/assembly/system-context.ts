import type { UserInfo } from '@ashlar/core';
import type { RequestContext } from '@ashlar/registry';

/** Returns the context of a request that the server makes to itself: warnings are dropped and creation is always authorized. */
export function systemContext(user: UserInfo, namespace: string, version: string): RequestContext {
  const nothing = (): void => {};
  return {
    user,
    namespace,
    version,
    dryRun: false,
    fieldManager: user.name,
    warn: nothing,
    annotate: nothing,
    authorizeCreate: async () => {},
  };
}
