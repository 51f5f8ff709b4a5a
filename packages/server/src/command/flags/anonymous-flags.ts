import type { AnonymousOrigins } from '@ashlar/http';
import { ACCESS } from './flag-groups.ts';
import { list } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Flags of the origins of anonymous requests. */
export interface AnonymousFlags {
  readonly 'anonymous-hosts'?: readonly string[];
  readonly 'anonymous-origins'?: readonly string[];
}

export const anonymousFlags: FlagTableOf<AnonymousFlags> = {
  'anonymous-hosts': list(
    ACCESS,
    'LIST',
    'host names accepted in anonymous requests under AlwaysAllow, in addition to those of the listener; * accepts all',
  ),
  'anonymous-origins': list(
    ACCESS,
    'LIST',
    'origins of web pages whose anonymous requests are accepted under AlwaysAllow; * accepts all',
  ),
};

/**
 * Returns the accepted origins of anonymous requests: restricted under AlwaysAllow and where flags restrict them.
 * @param allowsAll whether AlwaysAllow is among the authorizers
 */
export function anonymousFromOf(flags: AnonymousFlags, allowsAll: boolean): AnonymousOrigins | 'anywhere' {
  const hosts = flags['anonymous-hosts'];
  const origins = flags['anonymous-origins'];
  if (!hosts && !origins && !allowsAll) return 'anywhere';
  return { ...(hosts && { hosts }), ...(origins && { origins }) };
}
