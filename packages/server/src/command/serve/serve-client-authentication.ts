import type { ClientAuthentication } from '../../bootstrap/publish-authentication.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readTextFile } from '../read-text-file.ts';

/** Returns how callers are recognised by certificates according to the flags. @throws UsageError */
export function clientAuthenticationOf(flags: ServeFlags): ClientAuthentication {
  const textOf = (flag: 'client-ca-file' | 'requestheader-client-ca-file'): string | undefined => {
    const file = flags[flag];
    return file === undefined ? undefined : readTextFile(flag, file);
  };
  const clientCertificateAuthority = textOf('client-ca-file');
  const certificateAuthority = textOf('requestheader-client-ca-file');
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
