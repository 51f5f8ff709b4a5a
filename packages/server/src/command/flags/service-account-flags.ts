import { parseUrlReference } from '@ashlar/cel';
import { goQuote } from '@ashlar/core';
import { ACCESS } from './flag-groups.ts';
import { concatenated, duration, list, text, toggle } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

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

const HOUR_MILLISECONDS = 3_600_000;
const expiration = duration(
  ACCESS,
  'maximum validity duration of a service account token, from an hour to 2^32 seconds; 0 for no other than that of the API',
);

const maximumExpiration: Flag<number> = {
  ...expiration,
  parse(argument) {
    const milliseconds = expiration.parse(argument);
    const isInRange = milliseconds >= HOUR_MILLISECONDS && milliseconds <= 2 ** 32 * 1_000;
    if (milliseconds !== 0 && !isInRange)
      throw new Error('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
    return milliseconds;
  },
};

const keySetUri: Flag<string> = {
  group: ACCESS,
  value: 'URL',
  meaning:
    'URL of the key set in the discovery document (default: that of the server at its advertised address)',
  parse(argument) {
    const url = parseUrlReference(argument);
    if (typeof url === 'string') throw new Error(`service-account-jwks-uri must be a valid URL: ${url}`);
    if (url.scheme !== 'https')
      throw new Error(`service-account-jwks-uri requires https scheme, parsed as: ${argument}`);
    return argument;
  },
};

const issuerList = list(
  ACCESS,
  'URL,URL',
  'accepted issuers of service account tokens; the first issues them',
);

const issuers: Flag<readonly string[]> = {
  ...issuerList,
  parse: (argument) => eachOnce(issuerList.parse(argument)),
  join: (earlier, later) => eachOnce(concatenated(earlier, later)),
};

/** @throws Error */
function eachOnce(all: readonly string[]): readonly string[] {
  const repeated = all.find((issuer, i) => all.indexOf(issuer) < i);
  if (repeated === undefined) return all;
  throw new Error(`service-account-issuer ${goQuote(repeated)} is already specified`);
}

export const serviceAccountFlags: FlagTableOf<ServiceAccountFlags> = {
  'api-audiences': list(
    ACCESS,
    'NAME,NAME',
    'audiences that identify this server in tokens (default all of --service-account-issuer)',
  ),
  'service-account-issuer': issuers,
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
  'service-account-max-token-expiration': maximumExpiration,
  'service-account-extend-token-expiration': toggle(
    ACCESS,
    'whether tokens that are mounted automatically are valid for a year, and their use after an hour is recorded (default true)',
  ),
  'service-account-lookup': toggle(
    ACCESS,
    'whether legacy tokens are valid only as long as their secret exists (default true)',
  ),
  'service-account-jwks-uri': keySetUri,
};
