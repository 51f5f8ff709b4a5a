import { serviceNetworkFault } from '@ashlar/apis';
import { parseIpAddress } from '@ashlar/core';
import type { ServiceNetwork } from '@ashlar/registry';
import { LISTENER } from './flag-groups.ts';
import { integer, text } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';
import { type NamedCertificateFiles, namedCertificateFiles } from './named-certificate-flag.ts';

/** Flags of the listeners. */
export interface ListenerFlags {
  readonly 'bind-address'?: string;
  readonly 'secure-port'?: number;
  readonly 'http-socket'?: string;
  readonly 'advertise-address'?: string;
  readonly 'service-cluster-ip-range'?: readonly string[];
  readonly 'service-node-port-range'?: string;
  readonly 'tls-cert-file'?: string;
  readonly 'tls-private-key-file'?: string;
  readonly 'tls-sni-cert-key'?: readonly NamedCertificateFiles[];
  readonly 'cert-dir'?: string;
  readonly 'max-header-bytes'?: number;
}

export const listenerFlags: FlagTableOf<ListenerFlags> = {
  'bind-address': text(LISTENER, 'ADDRESS', 'address of the HTTPS listener (default 127.0.0.1)'),
  'secure-port': integer(
    LISTENER,
    'PORT',
    'port of the HTTPS listener; 0 selects a free port (default 6443, or the next free port)',
    65_535,
  ),
  'advertise-address': {
    group: LISTENER,
    value: 'ADDRESS',
    meaning:
      'IP address at which programs of the cluster reach the server, in the endpoints of its service (default --bind-address, or an address of this machine if that is a loopback or unspecified address)',
    parse(argument) {
      if (!parseIpAddress(argument)) throw new Error(`${argument} is not an IP address`);
      return argument;
    },
  },
  'service-cluster-ip-range': {
    group: LISTENER,
    value: 'CIDR[,CIDR]',
    meaning:
      'range of the IP addresses of services, whose first one the service of the server has; two of different families, separated by a comma, for both (default 10.0.0.0/24)',
    parse(argument) {
      const clusterIpRanges = argument.split(',').map((range) => range.trim());
      const problem = serviceNetworkFault({ clusterIpRanges });
      if (problem) throw new Error(problem);
      return clusterIpRanges;
    },
  },
  'service-node-port-range': {
    group: LISTENER,
    value: 'PORTS',
    meaning: 'range of the ports of nodes that services get (default 30000-32767)',
    parse(argument) {
      const problem = serviceNetworkFault({ nodePortRange: argument });
      if (problem) throw new Error(problem);
      return argument;
    },
  },
  'http-socket': text(
    LISTENER,
    'PATH',
    'path of a unix socket that serves plain HTTP to the user of the process',
  ),
  'tls-cert-file': text(LISTENER, 'FILE', 'certificate of the HTTPS listener, PEM; reloaded when it changes'),
  'tls-private-key-file': text(LISTENER, 'FILE', 'private key of --tls-cert-file, PEM'),
  'tls-sni-cert-key': namedCertificateFiles,
  'cert-dir': text(
    LISTENER,
    'DIRECTORY',
    'directory of apiserver.crt and apiserver.key, which are the defaults of --tls-cert-file and --tls-private-key-file then',
  ),
  'max-header-bytes': integer(
    LISTENER,
    'BYTES',
    'maximum size of the request line and header of a request (default 262144)',
    16 * 1024 * 1024,
    1024,
  ),
};

/** The ranges that flags give services. */
export function serviceNetworkOf(flags: ListenerFlags): ServiceNetwork {
  const clusterIpRanges = flags['service-cluster-ip-range'];
  const nodePortRange = flags['service-node-port-range'];
  return {
    ...(clusterIpRanges && { clusterIpRanges }),
    ...(nodePortRange !== undefined && { nodePortRange }),
  };
}
