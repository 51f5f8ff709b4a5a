import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Listener } from '@ashlar/http-node';
import type { ServeFlags } from '../flags/serve-flags.ts';

const INTERVAL_MILLISECONDS = 10_000;

/** Reloads the served certificate when one of its files changes; an invalid pair keeps the current one. */
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
      report(`ashlar: the certificate was not reloaded: ${error instanceof Error ? error.message : error}\n`);
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
