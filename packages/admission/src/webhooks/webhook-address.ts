import type { TransportTls } from '@ashlar/core';
import { readCertificates } from './ca-bundle.ts';
import type { ServiceReference, WebhookClientConfig } from './client-config.ts';

/**
 * Returns the origin at which a service of the cluster is reached: `https://10.0.0.1:443`. The TLS server name is that of the service,
 * whatever the origin. What it throws is the error of the call: `service "x" not found`.
 */
export type ServiceResolver = (
  service: ServiceReference & { readonly port: number },
) => string | Promise<string>;

/** The URL of a webhook; its path is cleaned as by the client of the reference server: `//a/./b/` is `/a/b`. */
export function webhookUrl({ url, service }: WebhookClientConfig): string {
  if (url !== undefined) {
    const [origin = url] = /^https?:\/\/[^/]*/i.exec(url) ?? [];
    return origin + cleanPath(url.slice(origin.length));
  }
  if (!service) throw new Error('webhook configuration must have either service or URL');
  const { port = 443, path = '' } = service;
  return `https://${serviceHost(service)}:${port}${cleanPath(path)}`;
}

/** The DNS name of a service, which its certificate is for. */
const serviceHost = ({ name, namespace }: ServiceReference): string => `${name}.${namespace}.svc`;

/** What is doubled, goes up or stays, or is at the end of a path. */
const UNCLEAN = /\/\/|\/\.{1,2}(?:\/|$)|\/$/;

function cleanPath(path: string): string {
  if (path.startsWith('/') && !UNCLEAN.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Host and port of a URL, with the port also where it is the usual one. */
export function serverOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '443'}`;
}

/** Returns the URL that is connected to; messages name the other one. */
export async function connectedUrl(
  resolveService: ServiceResolver | undefined,
  { service }: WebhookClientConfig,
  url: string,
): Promise<string> {
  if (!service || !resolveService) return url;
  const port = service.port ?? 443;
  const origin = await resolveService({ ...service, port });
  return origin + url.slice(`https://${serviceHost(service)}:${port}`.length);
}

/** Kept, since every call asks. */
const verifications: WeakMap<WebhookClientConfig, TransportTls> = new WeakMap();

/** How the certificate of a webhook is verified. */
export function webhookTls(config: WebhookClientConfig): TransportTls {
  const cached = verifications.get(config);
  if (cached) return cached;
  const tls = verificationOf(config);
  verifications.set(config, tls);
  return tls;
}

function verificationOf({ caBundle = '', service }: WebhookClientConfig): TransportTls {
  const certificateAuthorities = caBundle === '' ? undefined : readCertificates(caBundle);
  return {
    ...(certificateAuthorities !== undefined && { certificateAuthorities }),
    ...(service && { serverName: serviceHost(service) }),
  };
}
