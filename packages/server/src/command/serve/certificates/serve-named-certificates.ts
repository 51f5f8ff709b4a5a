import { createSecureContext } from 'node:tls';
import type { NamedCertificate } from '@ashlar/http-node';
import type { NamedCertificateFiles } from '../../flags/named-certificate-flag.ts';
import type { ServeFlags } from '../../flags/serve-flags.ts';
import { readFile } from '../../read-text-file.ts';
import { UsageError } from '../../usage-error.ts';

const FLAG = 'tls-sni-cert-key';

/**
 * Reads the certificates for clients that ask for certain names; undefined without their flag.
 * @throws UsageError that names the files of a pair that cannot be used
 */
export function namedCertificatesOf(flags: ServeFlags): readonly NamedCertificate[] | undefined {
  return flags[FLAG]?.map(readNamed);
}

/** The files of these certificates. */
export const filesOfNamedCertificates = (flags: ServeFlags): readonly string[] =>
  (flags[FLAG] ?? []).flatMap(({ certificateFile, keyFile }) => [certificateFile, keyFile]);

function readNamed({ certificateFile, keyFile, names }: NamedCertificateFiles): NamedCertificate {
  try {
    const [certificate, key] = [readFile(certificateFile), readFile(keyFile)];
    createSecureContext({ cert: certificate, key });
    return { certificate, key, ...(names && { names }) };
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      error instanceof UsageError
        ? `flag --${FLAG}: ${message}`
        : `flag --${FLAG}: ${certificateFile} and ${keyFile} cannot be used (${message})`,
    );
  }
}
