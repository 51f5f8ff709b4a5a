import { ACCESS } from './flag-groups.ts';
import { duration, list, text, toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Tokens that the server itself issues: for whom, with which keys, for how long. Times are in milliseconds. */
export interface ServiceAccountFlags {
  readonly 'api-audiences'?: readonly string[];
  readonly 'service-account-issuer'?: readonly string[];
  readonly 'service-account-key-file'?: readonly string[];
  readonly 'service-account-signing-key-file'?: string;
  readonly 'service-account-max-token-expiration'?: number;
  readonly 'service-account-lookup'?: boolean;
  readonly 'service-account-jwks-uri'?: string;
}

export const serviceAccountFlags: FlagTableOf<ServiceAccountFlags> = {
  'api-audiences': list(ACCESS, 'NAME,NAME', 'whom tokens must name (default the issuer of our own)'),
  'service-account-issuer': list(
    ACCESS,
    'URL,URL',
    'issuers of service-account tokens that are taken; the first is this server',
  ),
  'service-account-key-file': list(
    ACCESS,
    'FILE,FILE',
    'keys with which such tokens are checked, PEM (default the signing key)',
  ),
  'service-account-signing-key-file': text(
    ACCESS,
    'FILE',
    'the key with which they are signed, PEM (default one that is made and kept)',
  ),
  'service-account-max-token-expiration': duration(ACCESS, 'longest life of such a token'),
  'service-account-lookup': toggle(
    ACCESS,
    'whether the tokens of secrets end with their secret (default true)',
  ),
  'service-account-jwks-uri': text(ACCESS, 'URL', 'where the keys are published (default below the issuer)'),
};
