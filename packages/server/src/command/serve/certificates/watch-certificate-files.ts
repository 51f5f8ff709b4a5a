import { readFileSync } from 'node:fs';
import type { Listener } from '@ashlar/http-node';
import type { ServeFlags } from '../../flags/serve-flags.ts';
import { watchFiles } from '../../watch-files.ts';
import { filesOfNamedCertificates, namedCertificatesOf } from './serve-named-certificates.ts';

/** Reloads the served certificates when one of their files changes; an invalid pair keeps all current ones. */
export function watchCertificateFiles(
  flags: ServeFlags,
  listener: Listener,
  report: (text: string) => void,
): Disposable {
  const certificateFile = flags['tls-cert-file'];
  const keyFile = flags['tls-private-key-file'];
  const main =
    certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile };
  const reread = (): void => {
    try {
      const named = namedCertificatesOf(flags);
      listener.setCertificate({ ...(main && readPair(main)), ...(named && { named }) });
    } catch (error) {
      report(`ashlar: the certificate was not reloaded: ${error instanceof Error ? error.message : error}\n`);
    }
  };
  const files = [...(main ? [main.certificateFile, main.keyFile] : []), ...filesOfNamedCertificates(flags)];
  return watchFiles(files, reread);
}

const readPair = (files: {
  readonly certificateFile: string;
  readonly keyFile: string;
}): { readonly certificate: string; readonly key: string } => ({
  certificate: readFileSync(files.certificateFile, 'utf8'),
  key: readFileSync(files.keyFile, 'utf8'),
});
