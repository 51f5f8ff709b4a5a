import { jwtAlgorithms } from '@ashlar/authn';
import { parseDuration, type Vocabulary } from '@ashlar/core';
import { type FeatureGates, knownFeatureGates, parseFeatureGates } from '@ashlar/lifecycle';
import { type ControllerChoice, controllerNames, parseControllerChoice } from './controller-selection.ts';
import type { Flag } from './flags.ts';
import { parseRuntimeConfig, type RuntimeConfig } from './runtime-config.ts';
import { parseEndpoints, parseStorageLocation, type StorageLocation } from './storage-location.ts';
import { vocabularyFlag } from './vocabulary-flag.ts';

const LISTENER = 'Listening';
const STORAGE = 'Storage and names';
const FEATURES = 'Features';
const ACCESS = 'Who may do what';
const LIMITS = 'Limits';
const CONTROLLERS = 'Controllers';

const text = (group: string, value: string, meaning: string): Flag<string> => ({
  group,
  value,
  meaning,
  parse(given) {
    if (given === '') throw new Error('the value is empty');
    return given;
  },
});

const integer = (group: string, value: string, meaning: string, maximum: number): Flag<number> => ({
  group,
  value,
  meaning,
  parse(given) {
    const number = Number(given);
    if (!/^\d+$/.test(given) || number > maximum)
      throw new Error(`${given} is no whole number from 0 to ${maximum}`);
    return number;
  },
});

const duration = (group: string, meaning: string): Flag<number> => ({
  group,
  value: 'DURATION',
  meaning,
  parse(given) {
    const milliseconds = Number(parseDuration(given)) / 1_000_000;
    if (milliseconds < 0) throw new Error('a duration is not negative');
    return milliseconds;
  },
});

const toggle = (group: string, meaning: string): Flag<boolean> => ({
  group,
  meaning,
  parse(given) {
    if (given === 'true') return true;
    if (given === 'false') return false;
    throw new Error(`${given} is neither true nor false`);
  },
});

/** Lists grow when they are given again. */
const list = (group: string, value: string, meaning: string): Flag<readonly string[]> => ({
  group,
  value,
  meaning,
  parse(given) {
    const parts = given.split(',');
    if (parts.includes('')) throw new Error('one of the values is empty');
    return parts;
  },
  join: (earlier, later) => [...earlier, ...later],
});

const storage: Flag<StorageLocation> = {
  group: STORAGE,
  value: 'memory|sqlite:FILE|etcd:URL,URL',
  meaning: 'where objects are kept (default sqlite:.ashlar/state.db)',
  parse: parseStorageLocation,
};

const etcdServers: Flag<readonly string[]> = {
  group: STORAGE,
  value: 'URL,URL',
  meaning: 'members of the etcd cluster that keeps the objects, instead of --storage',
  parse: parseEndpoints,
};

const featureGates: Flag<FeatureGates> = {
  group: FEATURES,
  value: 'NAME=true|false,…',
  meaning: `features that are still on trial, of ${gatesOnTrial()}; AllAlpha and AllBeta for all of a stage`,
  parse: (given) => parseFeatureGates(given),
};

const runtimeConfig: Flag<RuntimeConfig> = {
  group: FEATURES,
  value: 'GROUP/VERSION[/RESOURCE][=true|false],…',
  meaning: 'versions of groups, and resources of them, that are switched on or off; can be given again',
  parse: parseRuntimeConfig,
  join: (earlier, later) => new Map([...earlier, ...later]),
};

/** Gates that can be set, each as it is by default. */
function gatesOnTrial(): string {
  const gates = Object.entries(knownFeatureGates).filter(([, { locked }]) => !locked);
  return gates.map(([name, { stage, default: on }]) => `${name} (${stage}, ${on ? 'on' : 'off'})`).join(', ');
}

/** Authorizers that the command can be asked for. */
export type AuthorizationMode = 'AlwaysAllow' | 'AlwaysDeny' | 'ABAC' | 'RBAC' | 'Node' | 'Webhook';

const MODES: readonly string[] = [
  'AlwaysAllow',
  'AlwaysDeny',
  'ABAC',
  'RBAC',
  'Node',
  'Webhook',
] satisfies AuthorizationMode[];

/** Admission plugins that are asked for by name; the others are always there. */
type OptionalPlugin = 'NodeRestriction';

const PLUGINS: readonly string[] = ['NodeRestriction'] satisfies OptionalPlugin[];

const admissionPlugins: Flag<readonly OptionalPlugin[]> = {
  group: ACCESS,
  value: 'LIST',
  meaning: `admission plugins that are off by default, of ${PLUGINS.join(', ')}`,
  parse(given) {
    const names = given.split(',');
    for (const name of names) {
      if (!PLUGINS.includes(name))
        throw new Error(
          `${name} is no admission plugin that can be enabled; there are ${PLUGINS.join(', ')}`,
        );
    }
    return names as OptionalPlugin[];
  },
};

const authorizationMode: Flag<readonly AuthorizationMode[]> = {
  group: ACCESS,
  value: 'LIST',
  meaning:
    'authorizers in order, of AlwaysAllow, AlwaysDeny, ABAC, RBAC, Node and Webhook (default AlwaysAllow)',
  parse(given) {
    const modes = given.split(',');
    for (const mode of modes) {
      if (!MODES.includes(mode))
        throw new Error(`${mode} is no authorization mode; there are ${MODES.join(', ')}`);
    }
    if (new Set(modes).size < modes.length) throw new Error('an authorization mode is named twice');
    return modes as AuthorizationMode[];
  },
};

const controllers: Flag<readonly ControllerChoice[]> = {
  group: CONTROLLERS,
  value: 'LIST',
  meaning: `loops that run, of ${controllerNames.join(', ')}; * is those on by default, -NAME is not that one (default *)`,
  parse: (given) => given.split(',').map(parseControllerChoice),
};

const requiredClaims: Flag<ReadonlyMap<string, string>> = {
  group: ACCESS,
  value: 'CLAIM=VALUE,…',
  meaning: 'claims that must have a value; can be given again',
  parse(given) {
    const pairs = given.split(',').map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      if (equals <= 0) throw new Error(`${pair} is not of the form CLAIM=VALUE`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    });
    return new Map(pairs);
  },
  join: (earlier, later) => new Map([...earlier, ...later]),
};

const signingAlgorithms: Flag<readonly string[]> = {
  group: ACCESS,
  value: 'LIST',
  meaning: `how they may be signed, of ${jwtAlgorithms.join(', ')} (default RS256)`,
  parse(given) {
    const algorithms = given.split(',');
    const other = algorithms.find((algorithm) => !jwtAlgorithms.includes(algorithm));
    if (other !== undefined) throw new Error(`tokens are not signed with ${other}`);
    return algorithms;
  },
};

const webhookVersion: Flag<'v1' | 'v1beta1'> = {
  group: ACCESS,
  value: 'v1|v1beta1',
  meaning: 'in which version it is asked (default v1beta1)',
  parse(given) {
    if (given !== 'v1' && given !== 'v1beta1') throw new Error(`${given} is neither v1 nor v1beta1`);
    return given;
  },
};

/** What `ashlar serve` was told. Times are in milliseconds. */
export interface ServeFlags {
  readonly 'bind-address'?: string;
  readonly 'secure-port'?: number;
  readonly 'http-socket'?: string;
  readonly 'tls-cert-file'?: string;
  readonly 'tls-private-key-file'?: string;
  readonly vocabulary?: Vocabulary;
  readonly storage?: StorageLocation;
  readonly 'etcd-servers'?: readonly string[];
  readonly 'etcd-prefix'?: string;
  readonly 'etcd-cafile'?: string;
  readonly 'etcd-certfile'?: string;
  readonly 'etcd-keyfile'?: string;
  readonly 'etcd-compaction-interval'?: number;
  readonly 'event-ttl'?: number;
  readonly 'feature-gates'?: FeatureGates;
  readonly 'runtime-config'?: RuntimeConfig;
  readonly 'client-ca-file'?: string;
  readonly 'token-auth-file'?: string;
  readonly 'anonymous-auth'?: boolean;
  readonly 'enable-bootstrap-token-auth'?: boolean;
  readonly 'authentication-config'?: string;
  readonly 'oidc-issuer-url'?: string;
  readonly 'oidc-client-id'?: string;
  readonly 'oidc-username-claim'?: string;
  readonly 'oidc-username-prefix'?: string;
  readonly 'oidc-groups-claim'?: string;
  readonly 'oidc-groups-prefix'?: string;
  readonly 'oidc-required-claim'?: ReadonlyMap<string, string>;
  readonly 'oidc-ca-file'?: string;
  readonly 'oidc-signing-algs'?: readonly string[];
  readonly 'authentication-token-webhook-config-file'?: string;
  readonly 'authentication-token-webhook-version'?: 'v1' | 'v1beta1';
  readonly 'authentication-token-webhook-cache-ttl'?: number;
  readonly 'requestheader-client-ca-file'?: string;
  readonly 'requestheader-allowed-names'?: readonly string[];
  readonly 'requestheader-username-headers'?: readonly string[];
  readonly 'requestheader-uid-headers'?: readonly string[];
  readonly 'requestheader-group-headers'?: readonly string[];
  readonly 'requestheader-extra-headers-prefix'?: readonly string[];
  readonly 'api-audiences'?: readonly string[];
  readonly 'service-account-issuer'?: readonly string[];
  readonly 'service-account-key-file'?: readonly string[];
  readonly 'service-account-signing-key-file'?: string;
  readonly 'service-account-max-token-expiration'?: number;
  readonly 'service-account-lookup'?: boolean;
  readonly 'service-account-jwks-uri'?: string;
  readonly 'authorization-mode'?: readonly AuthorizationMode[];
  readonly 'authorization-policy-file'?: string;
  readonly 'authorization-webhook-config-file'?: string;
  readonly 'authorization-webhook-version'?: 'v1' | 'v1beta1';
  readonly 'authorization-webhook-cache-authorized-ttl'?: number;
  readonly 'authorization-webhook-cache-unauthorized-ttl'?: number;
  readonly 'authorization-config'?: string;
  readonly 'enable-admission-plugins'?: readonly OptionalPlugin[];
  readonly controllers?: readonly ControllerChoice[];
  readonly 'cluster-signing-cert-file'?: string;
  readonly 'cluster-signing-key-file'?: string;
  readonly 'cluster-signing-duration'?: number;
  readonly 'max-requests-inflight'?: number;
  readonly 'max-mutating-requests-inflight'?: number;
  readonly 'request-timeout'?: number;
  readonly 'livez-grace-period'?: number;
  readonly 'shutdown-delay-duration'?: number;
}

/** The flags of `ashlar serve`. Each maps to an option of `createApiServer` or of the listener. */
export const serveFlags: { readonly [K in keyof ServeFlags]-?: Flag<NonNullable<ServeFlags[K]>> } = {
  'bind-address': text(LISTENER, 'ADDRESS', 'address of the HTTPS listener (default 127.0.0.1)'),
  'secure-port': integer(
    LISTENER,
    'PORT',
    'its port; 0 picks a free one (default 6443, or the next free one)',
    65_535,
  ),
  'http-socket': text(LISTENER, 'PATH', 'plain HTTP on a unix socket, readable by its owner alone'),
  'tls-cert-file': text(LISTENER, 'FILE', 'served certificate, PEM; reread when it changes'),
  'tls-private-key-file': text(LISTENER, 'FILE', 'its key, PEM'),
  vocabulary: vocabularyFlag(STORAGE),
  storage,
  'etcd-servers': etcdServers,
  'etcd-prefix': text(STORAGE, 'PATH', 'where its keys begin (default /registry)'),
  'etcd-cafile': text(STORAGE, 'FILE', 'authorities that its certificates are of, PEM'),
  'etcd-certfile': text(STORAGE, 'FILE', 'our certificate for it, PEM'),
  'etcd-keyfile': text(STORAGE, 'FILE', 'the key of that certificate, PEM'),
  'etcd-compaction-interval': duration(
    STORAGE,
    'how old superseded states are before they are compacted; 0 leaves that to somebody else (default 5m)',
  ),
  'event-ttl': duration(STORAGE, 'how long events are kept (default 1h)'),
  'feature-gates': featureGates,
  'runtime-config': runtimeConfig,
  'client-ca-file': text(ACCESS, 'FILE', 'authorities whose client certificates are trusted, PEM'),
  'token-auth-file': text(ACCESS, 'FILE', 'tokens, as lines of token,user,uid,"group,group"'),
  'anonymous-auth': toggle(
    ACCESS,
    'let in requests without credentials (default true, under AlwaysAllow alone false)',
  ),
  'enable-bootstrap-token-auth': toggle(ACCESS, 'take the tokens of bootstrap secrets (default false)'),
  'authentication-config': text(
    ACCESS,
    'FILE',
    'issuers whose tokens are taken, and who stays anonymous; reread when it changes',
  ),
  'oidc-issuer-url': text(ACCESS, 'URL', 'the issuer of OpenID Connect whose tokens are taken'),
  'oidc-client-id': text(ACCESS, 'NAME', 'the audience that its tokens must name'),
  'oidc-username-claim': text(ACCESS, 'CLAIM', 'the claim that names the user (default sub)'),
  'oidc-username-prefix': text(
    ACCESS,
    'PREFIX',
    'before names of users; - for none (default URL#, for the claim email none)',
  ),
  'oidc-groups-claim': text(ACCESS, 'CLAIM', 'the claim that names his groups'),
  'oidc-groups-prefix': text(ACCESS, 'PREFIX', 'before names of groups'),
  'oidc-required-claim': requiredClaims,
  'oidc-ca-file': text(ACCESS, 'FILE', "authorities of the issuer's certificate, PEM (default the system's)"),
  'oidc-signing-algs': signingAlgorithms,
  'authentication-token-webhook-config-file': text(
    ACCESS,
    'FILE',
    'client configuration of a service that is asked whose tokens are',
  ),
  'authentication-token-webhook-version': webhookVersion,
  'authentication-token-webhook-cache-ttl': duration(ACCESS, 'how long its answers are kept (default 2m)'),
  'requestheader-client-ca-file': text(
    ACCESS,
    'FILE',
    'authorities of proxies whose headers name the user, PEM; for nothing else',
  ),
  'requestheader-allowed-names': list(
    ACCESS,
    'NAME,NAME',
    "common names that a proxy's certificate may have (default any)",
  ),
  'requestheader-username-headers': list(
    ACCESS,
    'HEADER,HEADER',
    'where proxies name the user; the first with a value counts',
  ),
  'requestheader-uid-headers': list(
    ACCESS,
    'HEADER,HEADER',
    'where they tell his uid; needs the gate RemoteRequestHeaderUID',
  ),
  'requestheader-group-headers': list(ACCESS, 'HEADER,HEADER', 'where they name his groups'),
  'requestheader-extra-headers-prefix': list(
    ACCESS,
    'PREFIX,PREFIX',
    'how the headers begin that give further fields',
  ),
  'api-audiences': list(ACCESS, 'NAME,NAME', 'whom tokens must name (default the issuer of our own)'),
  'service-account-issuer': list(
    ACCESS,
    'URL,URL',
    'issuers of service-account tokens that are taken; the first is this server',
  ),
  'service-account-key-file': list(
    ACCESS,
    'FILE,FILE',
    'keys with which such tokens are checked, PEM (default the signing key)',
  ),
  'service-account-signing-key-file': text(
    ACCESS,
    'FILE',
    'the key with which they are signed, PEM (default one that is made and kept)',
  ),
  'service-account-max-token-expiration': duration(ACCESS, 'longest life of such a token'),
  'service-account-lookup': toggle(
    ACCESS,
    'whether the tokens of secrets end with their secret (default true)',
  ),
  'service-account-jwks-uri': text(ACCESS, 'URL', 'where the keys are published (default below the issuer)'),
  'authorization-mode': authorizationMode,
  'authorization-policy-file': text(ACCESS, 'FILE', 'policies of the mode ABAC, one JSON object a line'),
  'authorization-webhook-config-file': text(
    ACCESS,
    'FILE',
    'client configuration of the service that the mode Webhook asks',
  ),
  'authorization-webhook-version': webhookVersion,
  'authorization-webhook-cache-authorized-ttl': duration(
    ACCESS,
    'how long it is remembered what it allows (default 5m)',
  ),
  'authorization-webhook-cache-unauthorized-ttl': duration(
    ACCESS,
    'how long it is remembered what it does not (default 30s)',
  ),
  'authorization-config': text(
    ACCESS,
    'FILE',
    'authorizers in order, instead of the modes; reread when it changes',
  ),
  'enable-admission-plugins': admissionPlugins,
  controllers,
  'cluster-signing-cert-file': text(
    CONTROLLERS,
    'FILE',
    'certificate of the authority that signs what is approved of requests of certificates, PEM',
  ),
  'cluster-signing-key-file': text(CONTROLLERS, 'FILE', 'its key, PEM'),
  'cluster-signing-duration': duration(
    CONTROLLERS,
    'how long certificates are valid at most, and where nothing is asked for (default 8760h)',
  ),
  'max-requests-inflight': integer(
    LIMITS,
    'N',
    'reading requests at once; 0 is no limit (default 400)',
    1_000_000,
  ),
  'max-mutating-requests-inflight': integer(
    LIMITS,
    'N',
    'writing requests at once; 0 is no limit (default 200)',
    1_000_000,
  ),
  'request-timeout': duration(LIMITS, 'longest time of a request that is no watch (default 1m)'),
  'livez-grace-period': duration(
    LIMITS,
    'how long the start may take before livez fails for it (default 0s)',
  ),
  'shutdown-delay-duration': duration(
    LIMITS,
    'how long to go on serving after a signal, while readyz fails (default 0s)',
  ),
};
