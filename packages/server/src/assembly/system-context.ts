import type { UserInfo } from '@ashlar/core';
import type { RequestContext } from '@ashlar/registry';

/** A request that the server makes of itself, without a connection: nobody is warned, nothing is asked. */
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
