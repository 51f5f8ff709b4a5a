import type { AdmissionPlugin } from '@ashlar/admission';
import type { Client } from '@ashlar/client';
import type { Ambient, Handler, Metrics, ServerRequest, Transport, Vocabulary } from '@ashlar/core';
import type { ConvertObjects } from '@ashlar/extensions';
import type {
  AnonymousOrigins,
  ApiCatalog,
  ConnectHandler,
  HealthCheck,
  HealthChecks,
  InFlightLimits,
  ServerVersion,
} from '@ashlar/http';
import type { FeatureGates } from '@ashlar/lifecycle';
import type { ResourceDefinition } from '@ashlar/registry';
import type { KeyValueStore, ObjectStore } from '@ashlar/storage';
import type { CertificateSigning } from '../certificates/certificate-signing.ts';
import type { ControllerChoice } from './controller-selection.ts';
import type { RuntimeConfig } from './runtime-config.ts';
import type { AuthenticatorFactory, AuthorizerFactory } from './server-access.ts';
import type { ServiceAccountOptions } from './service-accounts.ts';

/** What a server is made of. Everything has a default; a server without options keeps its objects in memory and allows everybody everything. */
export interface ApiServerOptions {
  /** Names on the wire; default: those of the specification. */
  readonly vocabulary?: Vocabulary;
  /** Where objects are kept; closed with the server. Default: memory. */
  readonly storage?: KeyValueStore;
  /** Resource types beside the built-in ones. */
  readonly resources?: readonly ResourceDefinition[];
  /** Default: everybody is anonymous. */
  readonly authenticator?: AuthenticatorFactory;
  /** Tokens of service accounts; without it there are none. */
  readonly serviceAccounts?: ServiceAccountOptions;
  /** For whom tokens must be that name somebody; default: the issuer of service accounts' tokens. */
  readonly apiAudiences?: readonly string[];
  /** Default: everybody may do everything. */
  readonly authorizer?: AuthorizerFactory;
  /** Keeps nodes from changing what is not theirs; default false. */
  readonly nodeRestriction?: boolean;
  /**
   * Gives pods that name no service account the one called `default`, and refuses those whose account is not there; default false. The
   * loop `serviceaccount`, which then runs by default, makes that account in every namespace.
   */
  readonly serviceAccountAdmission?: boolean;
  /** Which features are on; default: those that are on by default. */
  readonly featureGates?: FeatureGates;
  /** Versions of groups, and resources of them, that are switched on or off. */
  readonly runtimeConfig?: RuntimeConfig;
  /** Asked behind the built-in plugins, in order. */
  readonly admission?: readonly AdmissionPlugin[];
  /** Time and randomness; tests pass their own. */
  readonly ambient?: Ambient;
  readonly version?: ServerVersion;
  readonly limits?: InFlightLimits;
  /**
   * Where anonymous callers may come from. `anywhere` is the default of a server with an authenticator. One without, which everybody may
   * use who reaches it, answers them only under the names on which it listens and loopback ones, and refuses web pages of others (403):
   * else any page could speak to it through a browser on this machine. This names further hosts and origins.
   */
  readonly anonymousFrom?: AnonymousOrigins | 'anywhere';
  /** Answers what only a host can: `pods/log`, `services/proxy`. Without it such requests are refused with 501. */
  readonly connect?: ConnectHandler;
  /** Longest that a request may take that is no watch, in milliseconds; default 60,000. */
  readonly requestTimeoutMilliseconds?: number;
  /** Seconds that events are kept; default 3,600. */
  readonly eventTtlSeconds?: number;
  /** How old superseded states are before the storage lets go of them, in milliseconds; default 300,000. 0 leaves it to the storage. */
  readonly compactionMilliseconds?: number;
  /** Calls outwards: conversion webhooks. Without it requests fail that need one. */
  readonly transport?: Transport;
  /** Converts users' objects from one version to another in this process, in the place of the webhooks that definitions name. */
  readonly convert?: ConvertObjects;
  /** Which loops the server runs itself: those that are on by default (`true`, the default), none, or those of a list. */
  readonly controllers?: boolean | readonly ControllerChoice[];
  /** The authority of the server's certificate, PEM: a config map in every namespace tells it to programs. Without it nobody does. */
  readonly rootCertificateAuthority?: string;
  /** Signs the requests of certificates that are approved, which must be served; without it nobody does. */
  readonly certificateSigning?: CertificateSigning;
  /** Further things that must be well, asked at `/healthz`, `/livez` and `/readyz`. */
  readonly healthChecks?: readonly HealthCheck[];
  /** How long the start may take before `/livez` fails for it, in milliseconds; default 0. */
  readonly livezGraceMilliseconds?: number;
  /** How long requests are still served after `drain`, while `/readyz` fails, in milliseconds; default 0. */
  readonly shutdownDelayMilliseconds?: number;
  /** Told of failures that are nobody's refusal. */
  readonly onError?: (error: unknown, request?: ServerRequest) => void;
}

/** A server without a listener: a handler, and ways to call it. */
export interface ApiServer extends AsyncDisposable {
  readonly handler: Handler;
  /** The same as a web-standard function. */
  fetch(request: Request): Promise<Response>;
  /** A client with every right that calls the handler without a socket. */
  readonly client: Client;
  readonly catalog: ApiCatalog;
  readonly health: HealthChecks;
  /** What is counted, served at `/metrics`; a host adds its own. */
  readonly metrics: Metrics;
  readonly store: ObjectStore;
  readonly vocabulary: Vocabulary;
  /**
   * Fulfilled when the system namespaces are there and everything that is stored is served. Before that, paths that lead nowhere are
   * answered with 503: they may lead somewhere then.
   */
  readonly ready: Promise<void>;
  /** Serves a further resource type. */
  serve(definition: ResourceDefinition): void;
  /**
   * An independent server with the same content, in well under a millisecond: both share what neither has changed.
   * @throws TypeError where the storage cannot be forked
   */
  fork(): ApiServer;
  /**
   * Tells that the end is near: `/readyz` fails from now on, everything else goes on. Fulfilled after the shutdown delay: then it is time
   * to close listeners, and the server behind them.
   */
  drain(): Promise<void>;
  /** Ends the loops, refuses new requests with 503, waits for those that are under way, up to ten seconds, and closes the storage. */
  close(): Promise<void>;
}
