import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ClientCertificate } from '@ashlar/aggregation';
import type { Transport } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readFile, readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { watchFiles } from '../watch-files.ts';

const CERTIFICATE = 'proxy-client-cert-file';
const KEY = 'proxy-client-key-file';

/** The certificate by which aggregated servers recognize this one, as its files are now. */
export interface ProxyClient extends Disposable {
  current(): ClientCertificate;
}

/**
 * Returns the certificate of the flags, which is read again when its files change; undefined without them.
 * @throws UsageError
 */
export function proxyClientOf(
  flags: ServeFlags,
  transport: Transport,
  report: (text: string) => void,
): ProxyClient | undefined {
  const certificateFile = flags[CERTIFICATE];
  const keyFile = flags[KEY];
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  if (certificateFile === undefined) throw new UsageError(`flag --${KEY} needs --${CERTIFICATE}`);
  if (keyFile === undefined) throw new UsageError(`flag --${CERTIFICATE} needs --${KEY}`);
  let current = {
    certificate: readTextFile(CERTIFICATE, certificateFile),
    key: readTextFile(KEY, keyFile),
  };
  requirePair(current, `flag --${CERTIFICATE}: `);
  const reread = (): void => {
    try {
      const next = { certificate: readFile(certificateFile), key: readFile(keyFile) };
      if (next.certificate === current.certificate) return;
      requirePair(next, '');
      transport.closeConnections?.(current.certificate);
      current = next;
    } catch (error) {
      report(`ashlar: the client certificate was not reloaded: ${(error as Error).message}\n`);
    }
  };
  return { current: () => current, ...watchFiles([certificateFile, keyFile], reread) };
}

function requirePair({ certificate, key }: ClientCertificate, place: string): void {
  let matches = false;
  try {
    matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new UsageError(`${place}the certificate and its key cannot be used (${(error as Error).message})`);
  }
  if (!matches) throw new UsageError(`${place}the key is not that of the certificate`);
}
