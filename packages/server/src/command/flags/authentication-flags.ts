import { ACCESS } from './flag-groups.ts';
import { text, toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Flags of authentication by certificates and tokens, and of anonymous requests. */
export interface AuthenticationFlags {
  readonly 'client-ca-file'?: string;
  readonly 'token-auth-file'?: string;
  readonly 'anonymous-auth'?: boolean;
  readonly 'enable-bootstrap-token-auth'?: boolean;
  readonly 'authentication-config'?: string;
}

export const authenticationFlags: FlagTableOf<AuthenticationFlags> = {
  'client-ca-file': text(
    ACCESS,
    'FILE',
    'CAs whose client certificates authenticate requests, PEM; reloaded when it changes',
  ),
  'token-auth-file': text(ACCESS, 'FILE', 'CSV file of static tokens: token,user,uid,"group,group"'),
  'anonymous-auth': toggle(
    ACCESS,
    'accept requests without credentials as anonymous (default true; false if AlwaysAllow is among the authorization modes)',
  ),
  'enable-bootstrap-token-auth': toggle(
    ACCESS,
    'accept bootstrap tokens stored as secrets in the system namespace (default false)',
  ),
  'authentication-config': text(
    ACCESS,
    'FILE',
    'authentication configuration: JWT issuers, which are reloaded when it changes, and anonymous requests',
  ),
};
