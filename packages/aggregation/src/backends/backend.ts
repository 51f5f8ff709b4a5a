import type { MaybePromise, TransportTls } from '@ashlar/core';
import type { ApiService } from '../api-services/api-service.ts';

/** A service, and the port that requests are for. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Why no request can reach a service. */
export interface ServiceFault {
  /** `ServiceNotFound`, `ServicePortError`, `EndpointsNotFound`, `MissingEndpoints`. */
  readonly reason: string;
  readonly message: string;
}

/** Where services are. */
export interface BackendServices {
  /** The origin at which a service is reached: `https://10.0.0.1:443`. @throws Error that says why there is none */
  origin(service: ServicePort): string | Promise<string>;
  /** What is known to prevent requests, before one is made. Absent if nothing is known. */
  faultOf?(service: ServicePort): MaybePromise<ServiceFault | undefined>;
}

/** A client certificate and its key, PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** The service of an API service that names one. */
export function servicePortOf({ spec }: ApiService): ServicePort {
  const { namespace = '', name = '', port = 443 } = spec.service ?? {};
  return { namespace, name, port };
}

/** The group and version of an API service. */
export const groupVersionOf = ({
  spec,
}: ApiService): { readonly group: string; readonly version: string } => ({
  group: spec.group ?? '',
  version: spec.version ?? '',
});

/** How the server of an API service is verified and whom it sees: the name is that of the service, whatever its address. */
export function backendTls(
  { spec }: ApiService,
  certificateAuthorities: string | undefined,
  proxyClient: ClientCertificate | undefined,
): TransportTls {
  const { name, namespace } = spec.service ?? {};
  return {
    serverName: `${name}.${namespace}.svc`,
    ...(spec.insecureSkipTLSVerify && { insecure: true }),
    ...(certificateAuthorities !== undefined && { certificateAuthorities }),
    ...proxyClient,
  };
}
