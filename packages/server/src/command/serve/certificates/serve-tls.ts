import { join } from 'node:path';
import type { ListenOptions } from '@ashlar/http-node';
import { tlsConnectionOf } from '../../flags/connection-flags.ts';
import type { ServeFlags } from '../../flags/serve-flags.ts';
import { readTextFile } from '../../read-text-file.ts';
import type { ServerIdentity } from '../../storage/server-identity.ts';
import { UsageError } from '../../usage-error.ts';
import { namedCertificatesOf } from './serve-named-certificates.ts';

/** Returns flags that name the files of a certificate, those of `--cert-dir` unless others are given. */
export function withCertificateFiles(flags: ServeFlags): ServeFlags {
  const folder = flags['cert-dir'];
  const isNamed = flags['tls-cert-file'] !== undefined || flags['tls-private-key-file'] !== undefined;
  if (folder === undefined || isNamed) return flags;
  const file = (name: string): string => join(folder, name);
  return {
    ...flags,
    'tls-cert-file': file('apiserver.crt'),
    'tls-private-key-file': file('apiserver.key'),
  };
}

/** Returns whether the server generates its certificate and token: without flags for certificates or tokens. */
export function ownsIdentity(flags: ServeFlags): boolean {
  return (
    flags['tls-cert-file'] === undefined &&
    flags['tls-private-key-file'] === undefined &&
    flags['token-auth-file'] === undefined &&
    flags['client-ca-file'] === undefined
  );
}

/**
 * Returns the TLS options of the listener: those of the generated identity if there is one, otherwise those of the flags.
 * @param clientCertificateAuthorities CAs of client certificates, PEM
 * @throws UsageError
 */
export function tlsOf(
  flags: ServeFlags,
  identity: ServerIdentity | undefined,
  clientCertificateAuthorities: string | undefined,
): NonNullable<ListenOptions['tls']> {
  const named = namedCertificatesOf(flags);
  const others = {
    ...tlsConnectionOf(flags),
    ...(named && { named }),
    ...(clientCertificateAuthorities !== undefined && { clientCertificateAuthorities }),
  };
  if (identity) return { certificate: identity.certificate, key: identity.key, ...others };
  const certificateFile = flags['tls-cert-file'];
  const keyFile = flags['tls-private-key-file'];
  if (certificateFile === undefined)
    throw new UsageError(
      'flag --tls-cert-file is needed with --tls-private-key-file, --token-auth-file or --client-ca-file',
    );
  if (keyFile === undefined)
    throw new UsageError('flag --tls-private-key-file is needed with --tls-cert-file');
  return {
    certificate: readTextFile('tls-cert-file', certificateFile),
    key: readTextFile('tls-private-key-file', keyFile),
    ...others,
  };
}
