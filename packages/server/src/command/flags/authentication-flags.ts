import { ACCESS } from './flag-groups.ts';
import { text, toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Whose certificates and tokens are taken, and whether strangers are let in. */
export interface AuthenticationFlags {
  readonly 'client-ca-file'?: string;
  readonly 'token-auth-file'?: string;
  readonly 'anonymous-auth'?: boolean;
  readonly 'enable-bootstrap-token-auth'?: boolean;
  readonly 'authentication-config'?: string;
}

export const authenticationFlags: FlagTableOf<AuthenticationFlags> = {
  'client-ca-file': text(ACCESS, 'FILE', 'authorities whose client certificates are trusted, PEM'),
  'token-auth-file': text(ACCESS, 'FILE', 'tokens, as lines of token,user,uid,"group,group"'),
  'anonymous-auth': toggle(
    ACCESS,
    'let in requests without credentials (default true, under AlwaysAllow alone false)',
  ),
  'enable-bootstrap-token-auth': toggle(ACCESS, 'take the tokens of bootstrap secrets (default false)'),
  'authentication-config': text(
    ACCESS,
    'FILE',
    'issuers whose tokens are taken, and who stays anonymous; reread when it changes',
  ),
};
