import type { ListenOptions } from '@ashlar/http-node';
import { readTextFile } from './read-text-file.ts';
import type { ServeFlags } from './serve-flags.ts';
import type { ServerIdentity } from './state-folder.ts';
import { UsageError } from './usage-error.ts';

/** A server that is given certificates or tokens is told who it is; one that is given neither makes its own. */
export function ownsIdentity(flags: ServeFlags): boolean {
  return (
    flags['tls-cert-file'] === undefined &&
    flags['tls-private-key-file'] === undefined &&
    flags['token-auth-file'] === undefined &&
    flags['client-ca-file'] === undefined
  );
}

/**
 * How the listener speaks TLS: as its own identity says, where it has one, else by the flags.
 * @throws UsageError
 */
export function tlsOf(
  flags: ServeFlags,
  identity: ServerIdentity | undefined,
): NonNullable<ListenOptions['tls']> {
  if (identity) return { certificate: identity.certificate, key: identity.key };
  const certificateFile = flags['tls-cert-file'];
  const keyFile = flags['tls-private-key-file'];
  const authorities = flags['client-ca-file'];
  if (certificateFile === undefined)
    throw new UsageError(
      'flag --tls-cert-file is needed with --tls-private-key-file, --token-auth-file or --client-ca-file',
    );
  if (keyFile === undefined)
    throw new UsageError('flag --tls-private-key-file is needed with --tls-cert-file');
  return {
    certificate: readTextFile('tls-cert-file', certificateFile),
    key: readTextFile('tls-private-key-file', keyFile),
    ...(authorities !== undefined && {
      clientCertificateAuthorities: readTextFile('client-ca-file', authorities),
    }),
  };
}
