import type { ClientAuthentication } from '../../../bootstrap/publish-authentication.ts';
import type { ServeFlags } from '../../flags/serve-flags.ts';
import type { ClientAuthorities } from './client-authorities.ts';

/** Returns how callers are recognised by certificates according to the flags and the files of CAs. */
export function clientAuthenticationOf(
  flags: ServeFlags,
  authorities: ClientAuthorities,
): ClientAuthentication {
  const clientCertificateAuthority = authorities.textOf('client-ca-file');
  const certificateAuthority = authorities.textOf('requestheader-client-ca-file');
  return {
    ...(clientCertificateAuthority !== undefined && { clientCertificateAuthority }),
    ...(certificateAuthority !== undefined && {
      requestHeader: {
        certificateAuthority,
        allowedNames: flags['requestheader-allowed-names'] ?? [],
        usernameHeaders: flags['requestheader-username-headers'] ?? [],
        groupHeaders: flags['requestheader-group-headers'] ?? [],
        extraHeaderPrefixes: flags['requestheader-extra-headers-prefix'] ?? [],
      },
    }),
  };
}
