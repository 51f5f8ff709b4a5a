import { getCiphers } from 'node:tls';
import type { ListenOptions, ListenTls } from '@ashlar/http-node';
import { LISTENER } from './flag-groups.ts';
import { integer, list, toggle } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Flags of TLS and HTTP/2. */
export interface ConnectionFlags {
  readonly 'tls-min-version'?: NonNullable<ListenTls['minimumVersion']>;
  /** Names of OpenSSL. */
  readonly 'tls-cipher-suites'?: readonly string[];
  readonly 'disable-http2-serving'?: boolean;
  readonly 'http2-max-streams-per-connection'?: number;
  readonly 'goaway-chance'?: number;
}

const VERSIONS: Readonly<Record<string, NonNullable<ListenTls['minimumVersion']>>> = {
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

const minimumVersion: Flag<NonNullable<ListenTls['minimumVersion']>> = {
  group: LISTENER,
  value: Object.keys(VERSIONS).join('|'),
  meaning: 'minimum version of TLS (default VersionTLS12)',
  parse(argument) {
    const version = Object.hasOwn(VERSIONS, argument) ? VERSIONS[argument] : undefined;
    if (!version)
      throw new Error(`${JSON.stringify(argument)} is neither ${Object.keys(VERSIONS).join(' nor ')}`);
    return version;
  },
};

const suites = list(
  LISTENER,
  'LIST',
  'cipher suites of TLS 1.2, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256; those of TLS 1.3 are always accepted (default: those of Node)',
);

const cipherSuites: Flag<readonly string[]> = {
  ...suites,
  parse: (argument) => suites.parse(argument).map(openSslName),
};

/** The greatest chance: each of fifty requests. */
const GREATEST_CHANCE = 0.02;

const goawayChance: Flag<number> = {
  group: LISTENER,
  value: 'SHARE',
  meaning: `share of HTTP/2 requests after which the connection is closed, so that clients are spread over several servers, 0 to ${GREATEST_CHANCE} (default 0)`,
  parse(argument) {
    const chance = argument.trim() === '' ? Number.NaN : Number(argument);
    if (!(chance >= 0 && chance <= GREATEST_CHANCE))
      throw new Error(`${argument} is not a number from 0 to ${GREATEST_CHANCE}`);
    return chance;
  },
};

export const connectionFlags: FlagTableOf<ConnectionFlags> = {
  'tls-min-version': minimumVersion,
  'tls-cipher-suites': cipherSuites,
  'disable-http2-serving': toggle(LISTENER, 'serve HTTP/1.1 only (default false)'),
  'http2-max-streams-per-connection': integer(
    LISTENER,
    'N',
    'maximum number of concurrent requests of an HTTP/2 connection; 0 for the default (default 100)',
    1_000_000,
  ),
  'goaway-chance': goawayChance,
};

/** Suites of TLS 1.3, which a list must name in order not to switch that version off. */
const OF_TLS13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** @throws Error for a suite that OpenSSL does not have */
function openSslName(suite: string): string {
  if (OF_TLS13.includes(suite)) return suite;
  const name = suite
    .replace(/^TLS_/, '')
    .replace(/^RSA_WITH_/, '')
    .replace('_WITH_', '-')
    .replace(/AES_(\d+)/, 'AES$1')
    .replace('_CBC', '')
    .replace(/_POLY1305_SHA256$/, '_POLY1305')
    .replaceAll('_', '-');
  if (!suite.startsWith('TLS_') || !getCiphers().includes(name.toLowerCase()))
    throw new Error(`${JSON.stringify(suite)} is no cipher suite of this server`);
  return name;
}

/** What the flags say of TLS. */
export function tlsConnectionOf(
  flags: ConnectionFlags,
): Pick<ListenTls, 'minimumVersion' | 'ciphers' | 'http2'> {
  const version = flags['tls-min-version'];
  const ciphers = flags['tls-cipher-suites'];
  return {
    ...(version && { minimumVersion: version }),
    ...(ciphers && { ciphers: [...new Set([...OF_TLS13, ...ciphers])].join(':') }),
    ...(flags['disable-http2-serving'] === true && { http2: false }),
  };
}

/** What the flags say of HTTP/2. */
export function http2OptionsOf(
  flags: ConnectionFlags,
): Pick<ListenOptions, 'maximumConcurrentStreams' | 'goawayChance'> {
  const streams = flags['http2-max-streams-per-connection'];
  const chance = flags['goaway-chance'];
  return {
    ...(streams && { maximumConcurrentStreams: streams }),
    ...(chance !== undefined && { goawayChance: chance }),
  };
}
