import type { Certificates, ServingCertificateOptions } from './self-signed-certificates.ts';

/**
 * Creates a CA and a server certificate, both valid for ten years: the option `tls` of `listen`, and the CA for clients.
 * @example
 * const { certificate, key, certificateAuthority } = await createServingCertificate({ hosts: ['api.example.com'] });
 * const { url } = await listen(server.handler, { tls: { certificate, key } });
 * await writeFile('admin.conf', clientConfigurationFor({ server: url, certificateAuthority, name: 'anna', token }));
 */
export async function createServingCertificate(
  options: ServingCertificateOptions = {},
): Promise<Certificates> {
  // the certificate library is large, and few servers need it
  const { createCertificates } = await import('./self-signed-certificates.ts');
  return createCertificates(options);
}
