import { ACCESS } from './flag-groups.ts';
import { duration, list, text, toggle } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Flags of service account tokens. Durations are in milliseconds. */
export interface ServiceAccountFlags {
  readonly 'api-audiences'?: readonly string[];
  readonly 'service-account-issuer'?: readonly string[];
  readonly 'service-account-key-file'?: readonly string[];
  readonly 'service-account-signing-key-file'?: string;
  readonly 'service-account-max-token-expiration'?: number;
  readonly 'service-account-extend-token-expiration'?: boolean;
  readonly 'service-account-lookup'?: boolean;
  readonly 'service-account-jwks-uri'?: string;
}

export const serviceAccountFlags: FlagTableOf<ServiceAccountFlags> = {
  'api-audiences': list(
    ACCESS,
    'NAME,NAME',
    'audiences that identify this server in tokens (default the first --service-account-issuer)',
  ),
  'service-account-issuer': list(
    ACCESS,
    'URL,URL',
    'accepted issuers of service account tokens; the first issues them',
  ),
  'service-account-key-file': list(
    ACCESS,
    'FILE,FILE',
    'keys that verify service account tokens, PEM (default the signing key)',
  ),
  'service-account-signing-key-file': text(
    ACCESS,
    'FILE',
    'private key that signs service account tokens, PEM (default a generated key that is stored)',
  ),
  'service-account-max-token-expiration': duration(
    ACCESS,
    'maximum validity duration of a service account token',
  ),
  'service-account-extend-token-expiration': toggle(
    ACCESS,
    'whether tokens that are mounted automatically are valid for a year, and their use after an hour is recorded (default true)',
  ),
  'service-account-lookup': toggle(
    ACCESS,
    'whether legacy tokens are valid only as long as their secret exists (default true)',
  ),
  'service-account-jwks-uri': text(
    ACCESS,
    'URL',
    'URL of the key set in the discovery document (default below the issuer)',
  ),
};
