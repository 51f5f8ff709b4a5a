import type { AdmissionPlugin, ServiceResolver } from '@ashlar/admission';
import type { ClientCertificate } from '@ashlar/aggregation';
import type { ReleaseEmulation } from '@ashlar/apis/withdrawn';
import type { AuditOptions } from '@ashlar/audit';
import type { Ambient, ServerRequest, Transport, UserInfo, Vocabulary } from '@ashlar/core';
import type { ConvertObjects } from '@ashlar/extensions';
import type {
  AnonymousOrigins,
  AuditEvent,
  BrowserOptions,
  ConnectHandler,
  HealthCheck,
  InFlightLimits,
  Profiler,
  ServerVersion,
} from '@ashlar/http';
import type { FeatureGates } from '@ashlar/lifecycle';
import type { ResourceDefinition, ServiceNetwork } from '@ashlar/registry';
import type { KeyValueStore } from '@ashlar/storage';
import type { AdmissionConfiguration } from '../admission/admission-configuration.ts';
import type { DefaultAdmissionPlugin, OptInAdmissionPlugin } from '../admission/admission-plugin-names.ts';
import type { CertificateSigning } from '../certificates/certificate-signing.ts';
import type { EncryptionAtRest } from '../encryption/server-encryption.ts';
import type { ControllerChoice, ControllerName } from './controller-selection.ts';
import type { RuntimeConfig } from './runtime-config.ts';
import type { AuthenticatorFactory, AuthorizerFactory } from './server-access.ts';
import type { ServiceAccountOptions } from './service-accounts.ts';

/** Options of an API server. Each has a default; a server without options stores objects in memory and allows every request. */
export interface ApiServerOptions extends BrowserOptions {
  /** Names on the wire. Default: `orchVocabulary`; clients built for Kubernetes need `kubernetesVocabulary`. */
  readonly vocabulary?: Vocabulary;
  /** Stores the objects; closed with the server. Default: in memory. */
  readonly storage?: KeyValueStore;
  /** Encrypts stored objects. By default they are stored as they are. */
  readonly encryption?: EncryptionAtRest;
  /** Resource types in addition to the built-in ones. */
  readonly resources?: readonly ResourceDefinition[];
  /** Authenticates requests. Default: every caller is anonymous. */
  readonly authenticator?: AuthenticatorFactory;
  /** Issues and accepts service account tokens; without it the server does neither. */
  readonly serviceAccounts?: ServiceAccountOptions;
  /** Audiences that identify this server in tokens; default: the issuers of service account tokens. */
  readonly apiAudiences?: readonly string[];
  /** Authorizes requests. Default: every request is allowed. */
  readonly authorizer?: AuthorizerFactory;
  /** Which features are on; default: those that are on by default. */
  readonly featureGates?: FeatureGates;
  /** Serves the API of another release of Kubernetes instead of that of 1.32: `emulateRelease('1.21')`. */
  readonly emulation?: ReleaseEmulation;
  /** Registers metrics that are hidden because they were deprecated three releases ago; default false. */
  readonly showHiddenMetrics?: boolean;
  /** Makes the profiles of the program at `/debug/pprof/`: `createNodeProfiler()`. By default there are none. */
  readonly profiler?: Profiler;
  /** Versions of groups, and resources of them, that are switched on or off. */
  readonly runtimeConfig?: RuntimeConfig;
  /** Admission plugins that run besides those of a default server. */
  readonly enabledAdmissionPlugins?: readonly OptInAdmissionPlugin[];
  /** Admission plugins of a default server that do not run. Without `ServiceAccount` pods need none, and the controller `serviceaccount` does not run by default. */
  readonly disabledAdmissionPlugins?: readonly DefaultAdmissionPlugin[];
  /** Configurations of built-in admission plugins by their names. */
  readonly admissionConfiguration?: AdmissionConfiguration;
  /** Admission plugins that run after the built-in ones, in order, and before it is checked what a role or binding grants. */
  readonly admission?: readonly AdmissionPlugin[];
  /**
   * For whom the causes of a denied request explain which plugin, webhook or policy refused, and what its expressions read: members of
   * `system:masters` (`true`), or callers for whom a function says so. They see what policies read, such as parameters and namespaces.
   * Default false.
   */
  readonly explainDenials?: boolean | ((user: UserInfo) => boolean);
  /** Time and randomness; tests pass their own. */
  readonly ambient?: Ambient;
  /** What `/version` tells. Default: release 1.32, or the one that is emulated. */
  readonly version?: ServerVersion;
  /** The address that `/api` tells clients, as `host:port`. By default it is empty. */
  readonly serverAddress?: () => string;
  /** Limits of concurrent requests; with priority and fairness, `readOnly` and `mutating` together are the seats of all levels. */
  readonly limits?: InFlightLimits;
  /**
   * API priority and fairness: gives requests seats and turns by the stored flow schemas and priority levels. Default: true for a server with an
   * authenticator; without one all callers are one user. Where it is off, no flow schemas are served, or both limits are 0, `limits` apply.
   */
  readonly priorityAndFairness?: boolean;
  /**
   * Hosts and origins from which anonymous requests are accepted. `anywhere` is the default with an authenticator. A server without one
   * accepts them only for the host names on which it listens and loopback names, and rejects requests of foreign web pages (403):
   * otherwise any page could reach it through a browser on this machine. An object names additional hosts and origins.
   */
  readonly anonymousFrom?: AnonymousOrigins | 'anywhere';
  /** Handles connect subresources such as `pods/log` and `services/proxy`. Without it they are answered with 501. */
  readonly connect?: ConnectHandler;
  /** Maximum duration of a request other than a watch, in milliseconds; default 60,000. */
  readonly requestTimeoutMilliseconds?: number;
  /** Watches without `timeoutSeconds` end after a random time between this and twice as long; default 1,800. */
  readonly minimumWatchSeconds?: number;
  /** Time to live of events, in seconds; default 3,600. */
  readonly eventTtlSeconds?: number;
  /** Interval of compaction, in milliseconds; default 300,000. 0 disables it, leaving it to the storage. */
  readonly compactionMilliseconds?: number;
  /** Sends outgoing requests, such as those to webhooks. Without it requests that need one fail. */
  readonly transport?: Transport;
  /** Ranges from which services get their addresses and ports. */
  readonly serviceNetwork?: ServiceNetwork;
  /**
   * Where services of the cluster are reached: webhooks, and the servers of aggregated APIs. Default: at the cluster IP of the stored
   * service, or at its external name.
   */
  readonly resolveService?: ServiceResolver;
  /** Whether stored services are reached at one of their endpoints instead of their cluster IP; default false. */
  readonly routesToEndpoints?: boolean;
  /** The client certificate by which the servers of aggregated APIs recognize this one. Called for each request. */
  readonly proxyClient?: () => ClientCertificate | undefined;
  /**
   * Names and prefixes of header fields, besides `X-Remote-…`, by which the servers of aggregated APIs may get the identity of the caller: those of
   * callers are not passed on to them.
   */
  readonly identityHeaders?: readonly string[];
  /**
   * Whether the server only reads its storage: it creates no objects of its own, runs no controllers, and refuses each write with 405.
   * Default false.
   */
  readonly readOnly?: boolean;
  /**
   * Converts objects of custom resource definitions from one version to another in this process, in the place of the webhooks that they name:
   * called for those whose conversion strategy is `Webhook`.
   */
  readonly convert?: ConvertObjects;
  /** Controllers that the server runs: those that are on by default (`true`, the default), none (`false`), or those of a list. */
  readonly controllers?: boolean | readonly ControllerChoice[];
  /**
   * The user as whom a controller writes, which admission, audit and servers behind this one see; undefined: the default, which is the
   * controller's service account, such as `system:serviceaccount:kube-system:generic-garbage-collector`, or the server itself if `authorizer`
   * uses no roles. This server always authorizes controllers.
   */
  readonly controllerUser?: (controller: ControllerName) => UserInfo | undefined;
  /** CA certificate of the server's certificate, PEM; published as a config map in every namespace. Without it nothing is published. */
  readonly rootCertificateAuthority?: string;
  /** Signs approved certificate signing requests, a type that must be served. Without it none are signed. */
  readonly certificateSigning?: CertificateSigning;
  /** Additional health checks for `/healthz`, `/livez` and `/readyz`. */
  readonly healthChecks?: readonly HealthCheck[];
  /** How long the server may take to start before `/livez` fails, in milliseconds; default 0. */
  readonly livezGraceMilliseconds?: number;
  /** How long requests are still served after `drain`, while `/readyz` fails, in milliseconds; default 0. */
  readonly shutdownDelayMilliseconds?: number;
  /**
   * Whether, after that delay, requests are referred to other servers by 429 with `Retry-After` until those in flight are answered, or the
   * grace period of `drain` is over; default false: the listeners are closed at once.
   */
  readonly shutdownSendRetryAfter?: boolean;
  /**
   * Called with each answered request: the user, the request, the status, and audit annotations such as that of deprecated versions.
   * An object instead has a policy that says which stages of which requests are recorded, and how much of them, and the backends that store
   * the events; they are stored before the server is closed. By default nothing is reported or recorded.
   */
  readonly audit?: ((event: AuditEvent) => void) | AuditOptions;
  /** Called with unexpected errors: those that are not the rejection of a request. By default they are printed. */
  readonly onError?: (error: unknown, request?: ServerRequest) => void;
}
