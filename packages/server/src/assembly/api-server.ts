import type { Client } from '@ashlar/client';
import type { Ambient, Handler, Metrics, Vocabulary } from '@ashlar/core';
import type { EncryptionConfiguration } from '@ashlar/encryption';
import type { ApiCatalog, HealthChecks } from '@ashlar/http';
import type { ResourceDefinition } from '@ashlar/registry';
import type { ObjectStore } from '@ashlar/storage';

/** How a server is closed. */
export interface CloseOptions {
  /** How long running requests are waited for, and then audit events. Default 10,000 */
  readonly graceMilliseconds?: number;
}

/** What differs between a server and its fork. */
export interface ForkChanges {
  /** Time and randomness of the fork; by default those of the server. */
  readonly ambient?: Ambient;
}

/** Who makes requests. */
export interface Caller {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** A server without a listener: a handler, and ways to call it. */
export interface ApiServer extends AsyncDisposable {
  readonly handler: Handler;
  /** The same as a web-standard function. */
  fetch(request: Request): Promise<Response>;
  /** A client with every right that calls the handler without a socket. Its requests wait until the server is ready. */
  readonly client: Client;
  /**
   * A client that acts as a user, as by impersonation: admission, authorization and owners of fields see that user.
   * @throws TypeError if the user has no name
   */
  clientAs(user: Caller): Client;
  readonly catalog: ApiCatalog;
  readonly health: HealthChecks;
  /** Metrics that are served at `/metrics`; a host can register its own. */
  readonly metrics: Metrics;
  readonly store: ObjectStore;
  readonly vocabulary: Vocabulary;
  /**
   * Fulfilled when the system namespaces exist and every stored definition is served. Until then, requests for unknown paths are
   * answered with 503, since the path may exist once the server is ready.
   */
  readonly ready: Promise<void>;
  /**
   * Encrypts with another configuration from now on; objects are written with its first key when they are next updated.
   * @throws Error if the configuration is invalid or a key service is not healthy: the last one stays in use then
   * @throws TypeError if the option `encryption` does not allow it, and for forks
   */
  useEncryption(configuration: EncryptionConfiguration): Promise<void>;
  /** Adds a resource type. */
  serve(definition: ResourceDefinition): void;
  /**
   * Returns an independent server with the same content, in well under a millisecond: both share what neither has changed.
   * @throws TypeError if the storage cannot be forked
   */
  fork(changes?: ForkChanges): ApiServer;
  /**
   * Announces the shutdown: `/readyz` fails from now on, all other requests are still served. Fulfilled after the shutdown delay, when it is
   * time to close the listeners and then the server. With `shutdownSendRetryAfter`, after those in flight are answered or the grace period.
   */
  drain(options?: CloseOptions): Promise<void>;
  /**
   * Stops the controllers, rejects new requests with 503, waits for running requests, then for audit events that are still to be stored,
   * and closes the storage.
   */
  close(options?: CloseOptions): Promise<void>;
}
