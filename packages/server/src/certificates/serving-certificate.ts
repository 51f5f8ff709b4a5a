import { checkOptionNames, optionError } from '@ashlar/core';
import type { Certificates, ServingCertificateOptions } from './self-signed-certificates.ts';

/**
 * Creates a CA and a server certificate, both valid for ten years: the option `tls` of `listen`, and the CA for clients.
 * @throws TypeError for unknown options and for hosts that are not a list
 * @example
 * const { certificate, key, certificateAuthority } = await createServingCertificate({ hosts: ['api.example.com'] });
 * const { url } = await listen(server.handler, { tls: { certificate, key } });
 * await writeFile('admin.conf', clientConfigurationFor({ server: url, certificateAuthority, name: 'anna', token }));
 */
export async function createServingCertificate(
  options: ServingCertificateOptions = {},
): Promise<Certificates> {
  checkServingOptions(options);
  // the certificate library is large, and few servers need it
  const { createCertificates } = await import('./self-signed-certificates.ts');
  return createCertificates(options);
}

function checkServingOptions(options: ServingCertificateOptions): void {
  checkOptionNames('createServingCertificate', options, ['hosts', 'now']);
  const { hosts = [] } = options;
  if (Array.isArray(hosts) && hosts.every((host) => typeof host === 'string')) return;
  throw optionError(
    'createServingCertificate',
    'hosts',
    "a list of names, such as ['api.example.com']",
    hosts,
  );
}
