import { jwtAlgorithms } from '@ashlar/authn';
import { ACCESS } from './flag-groups.ts';
import { names, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** The one issuer of OpenID Connect that flags can name, and how its claims are read. */
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
  meaning: 'claims that must have a value; can be given again',
  parse: (given) => new Map(given.split(',').map(parseClaim)),
  join: (earlier, later) => new Map([...earlier, ...later]),
};

function parseClaim(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  if (equals <= 0) throw new Error(`${pair} is not of the form CLAIM=VALUE`);
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

export const oidcFlags: FlagTableOf<OidcFlags> = {
  'oidc-issuer-url': text(ACCESS, 'URL', 'the issuer of OpenID Connect whose tokens are taken'),
  'oidc-client-id': text(ACCESS, 'NAME', 'the audience that its tokens must name'),
  'oidc-username-claim': text(ACCESS, 'CLAIM', 'the claim that names the user (default sub)'),
  'oidc-username-prefix': text(
    ACCESS,
    'PREFIX',
    'before names of users; - for none (default URL#, for the claim email none)',
  ),
  'oidc-groups-claim': text(ACCESS, 'CLAIM', 'the claim that names his groups'),
  'oidc-groups-prefix': text(ACCESS, 'PREFIX', 'before names of groups'),
  'oidc-required-claim': requiredClaims,
  'oidc-ca-file': text(ACCESS, 'FILE', "authorities of the issuer's certificate, PEM (default the system's)"),
  'oidc-signing-algs': names(
    ACCESS,
    `how they may be signed, of ${jwtAlgorithms.join(', ')} (default RS256)`,
    jwtAlgorithms,
    (algorithm) => `tokens are not signed with ${algorithm}`,
  ),
};
