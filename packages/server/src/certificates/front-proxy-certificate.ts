import type { Certificates } from './self-signed-certificates.ts';

/**
 * Creates a CA and a client certificate of the name `front-proxy`, both valid for ten years: by it the servers of aggregated APIs
 * recognize the server in front of them. Several replicas share one.
 * @example
 * const frontProxy = await createFrontProxyCertificate();
 * const server = createApiServer({ transport: createNodeTransport(), proxyClient: () => frontProxy });
 */
export async function createFrontProxyCertificate(): Promise<Certificates> {
  // the certificate library is large, and few servers need it
  const { createProxyCertificates } = await import('./self-signed-certificates.ts');
  return createProxyCertificates();
}
