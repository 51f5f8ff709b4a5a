import type { AnonymousOrigins } from '@ashlar/http';
import type { AuthorizationFlags } from './authorization-flags.ts';
import { ACCESS } from './flag-groups.ts';
import { list } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Where anonymous callers may come from. */
export interface AnonymousFlags {
  readonly 'anonymous-hosts'?: readonly string[];
  readonly 'anonymous-origins'?: readonly string[];
}

export const anonymousFlags: FlagTableOf<AnonymousFlags> = {
  'anonymous-hosts': list(
    ACCESS,
    'LIST',
    'hosts by which anonymous callers may name a server that allows everything, beside its own; * is all',
  ),
  'anonymous-origins': list(
    ACCESS,
    'LIST',
    'origins of web pages whose anonymous requests such a server takes; * is all',
  ),
};

/** Anonymous callers are looked at where they may do everything, or where the flags say from where they may come. */
export function anonymousFromOf(flags: AnonymousFlags & AuthorizationFlags): AnonymousOrigins | 'anywhere' {
  const hosts = flags['anonymous-hosts'];
  const origins = flags['anonymous-origins'];
  const modes = flags['authorization-mode'] ?? (flags['authorization-config'] ? [] : ['AlwaysAllow']);
  if (!hosts && !origins && !modes.includes('AlwaysAllow')) return 'anywhere';
  return { ...(hosts && { hosts }), ...(origins && { origins }) };
}
