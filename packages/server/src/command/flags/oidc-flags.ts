import { jwtAlgorithms } from '@ashlar/authn';
import { ACCESS } from './flag-groups.ts';
import { names, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Flags of one OpenID Connect issuer and the mapping of its claims. */
export interface OidcFlags {
  readonly 'oidc-issuer-url'?: string;
  readonly 'oidc-client-id'?: string;
  readonly 'oidc-username-claim'?: string;
  readonly 'oidc-username-prefix'?: string;
  readonly 'oidc-groups-claim'?: string;
  readonly 'oidc-groups-prefix'?: string;
  readonly 'oidc-required-claim'?: ReadonlyMap<string, string>;
  readonly 'oidc-ca-file'?: string;
  readonly 'oidc-signing-algs'?: readonly string[];
}

const requiredClaims: Flag<ReadonlyMap<string, string>> = {
  group: ACCESS,
  value: 'CLAIM=VALUE,…',
  meaning: 'claims that tokens must have, with their values; can be repeated',
  parse: (argument) => new Map(argument.split(',').map(parseClaim)),
  join: (earlier, later) => new Map([...earlier, ...later]),
};

function parseClaim(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  if (equals <= 0) throw new Error(`${pair} is not of the form CLAIM=VALUE`);
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

export const oidcFlags: FlagTableOf<OidcFlags> = {
  'oidc-issuer-url': text(ACCESS, 'URL', 'URL of an OpenID Connect issuer whose tokens are accepted'),
  'oidc-client-id': text(ACCESS, 'NAME', 'audience that its tokens must have'),
  'oidc-username-claim': text(ACCESS, 'CLAIM', 'claim with the user name (default sub)'),
  'oidc-username-prefix': text(
    ACCESS,
    'PREFIX',
    'prefix of user names; - for none (default the issuer URL and #, none for the claim email)',
  ),
  'oidc-groups-claim': text(ACCESS, 'CLAIM', 'claim with the groups of the user'),
  'oidc-groups-prefix': text(ACCESS, 'PREFIX', 'prefix of group names'),
  'oidc-required-claim': requiredClaims,
  'oidc-ca-file': text(
    ACCESS,
    'FILE',
    "CAs that sign the issuer's certificate, PEM (default the CAs of the system)",
  ),
  'oidc-signing-algs': names(
    ACCESS,
    `accepted signature algorithms, of ${jwtAlgorithms.join(', ')} (default RS256)`,
    jwtAlgorithms,
    (algorithm) => `tokens are not signed with ${algorithm}`,
  ),
};
