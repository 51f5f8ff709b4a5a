import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Listener } from '@ashlar/http-node';
import type { ServeFlags } from '../flags/serve-flags.ts';

const INTERVAL_MILLISECONDS = 10_000;

/** Serves a certificate anew when one of its files changes; a pair that does not fit leaves the old one in place. */
export function watchCertificateFiles(
  flags: ServeFlags,
  listener: Listener,
  report: (text: string) => void,
): Disposable {
  const certificateFile = flags['tls-cert-file'];
  const keyFile = flags['tls-private-key-file'];
  if (certificateFile === undefined || keyFile === undefined) return { [Symbol.dispose]() {} };
  const reread = (): void => {
    try {
      listener.setCertificate({
        certificate: readFileSync(certificateFile, 'utf8'),
        key: readFileSync(keyFile, 'utf8'),
      });
    } catch (error) {
      report(
        `ashlar: the certificate stays, its files cannot be used: ${error instanceof Error ? error.message : error}\n`,
      );
    }
  };
  const files = [certificateFile, keyFile];
  for (const file of files) watchFile(file, { interval: INTERVAL_MILLISECONDS, persistent: false }, reread);
  return {
    [Symbol.dispose]() {
      for (const file of files) unwatchFile(file, reread);
    },
  };
}
