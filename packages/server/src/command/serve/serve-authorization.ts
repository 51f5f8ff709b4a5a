import { statSync } from 'node:fs';
import {
  type AuthorizationConfiguration,
  type AuthorizerMetrics,
  createAuthorizerMetrics,
  createUnionAuthorizer,
  parseAuthorizationConfiguration,
  withDecisionMetrics,
  withPrivilegedGroup,
} from '@ashlar/authz';
import type { Ambient, Authorizer, Metrics, Transport, Vocabulary } from '@ashlar/core';
import type { AuthorizerFactory, StoredAuthorizers } from '../../assembly/server-access.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { followConfigurationFile } from '../follow-configuration-file.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { WebhookConnections } from '../webhook-connections.ts';
import { authorizerOf } from './authorization-modes.ts';
import {
  type AuthorizationWebhookOptions,
  authorizationWebhookOf,
  configuredWebhook,
  type MakeWebhook,
} from './serve-authorization-webhook.ts';

/** The authorization that flags or a file configure; disposed with the server. */
export interface ServeAuthorization extends Disposable {
  readonly authorizer: AuthorizerFactory;
  /** Starts watching the file, and registers metrics of its reloads. */
  follow(metrics: Metrics): void;
}

/** Dependencies of an authorization that flags configure. */
export interface AuthorizationDependencies {
  readonly ambient: Ambient;
  readonly transport: Transport;
  readonly report: (text: string) => void;
}

const FILE = 'authorization-config';

/**
 * Creates the authorization: that of the authorization modes, or that of a configuration file, which is reloaded when it changes (semantics/access#authorization).
 * @throws UsageError
 */
export function createServeAuthorization(
  flags: ServeFlags,
  dependencies: AuthorizationDependencies,
): ServeAuthorization {
  const file = flags[FILE];
  if (file !== undefined) return new FollowedAuthorization(file, flags, dependencies);
  const connections = new WebhookConnections(dependencies);
  const webhook = authorizationWebhookOf(flags, { ...dependencies, connections });
  const { ambient, report } = dependencies;
  return {
    authorizer: authorizerOf(flags, ambient.vocabulary, report, webhook),
    follow: () => {},
    [Symbol.dispose]: () => connections[Symbol.dispose](),
  };
}

/** Creates an authorizer over the objects of a server. */
type MakeAuthorizer = (stored: StoredAuthorizers, metrics: AuthorizerMetrics) => Authorizer;

/** One version of the file. */
interface Reading {
  readonly make: MakeAuthorizer;
  /** Connections to its webhooks. */
  readonly connections: Disposable;
}

/** How long connections stay open after a reload: requests may still use them. */
const RETIREMENT_MILLISECONDS = 60_000;

class FollowedAuthorization implements ServeAuthorization {
  readonly authorizer: AuthorizerFactory;
  readonly #file: string;
  readonly #dependencies: AuthorizationDependencies;
  /** Which of the types `Node` and `RBAC` are configured; a reload cannot change that. */
  readonly #fixedTypes: string;
  #reading: Reading;
  readonly #retired: Set<Reading> = new Set();
  #following: Disposable | undefined;

  constructor(file: string, flags: ServeFlags, dependencies: AuthorizationDependencies) {
    refuseModes(flags);
    this.#file = file;
    this.#dependencies = dependencies;
    const configuration = usable(() => parsed(readTextFile(FILE, file), dependencies.ambient.vocabulary));
    this.#fixedTypes = fixedTypesOf(configuration);
    this.#reading = usable(() => readingOf(configuration, dependencies));
    this.authorizer = (stored) => this.#authorizerFor(stored);
  }

  follow(metrics: Metrics): void {
    const { ambient, report } = this.#dependencies;
    this.#following = followConfigurationFile(this.#file, {
      ...{ metrics, report, clock: ambient.clock },
      subsystem: 'authorization_config_controller',
      subject: 'authorization configuration',
      apply: (text) => this.#apply(text),
    });
  }

  [Symbol.dispose](): void {
    this.#following?.[Symbol.dispose]();
    for (const reading of [this.#reading, ...this.#retired]) reading.connections[Symbol.dispose]();
  }

  /** @throws Error if the text is invalid */
  #apply(text: string): void {
    const configuration = parsed(text, this.#dependencies.ambient.vocabulary);
    if (fixedTypesOf(configuration) !== this.#fixedTypes)
      throw new Error('the authorizers Node and RBAC cannot be added or removed while the server runs');
    const replaced = this.#reading;
    this.#reading = readingOf(configuration, this.#dependencies);
    this.#retire(replaced);
  }

  #retire(reading: Reading): void {
    this.#retired.add(reading);
    this.#dependencies.ambient.clock.setTimer(RETIREMENT_MILLISECONDS, () => {
      reading.connections[Symbol.dispose]();
      this.#retired.delete(reading);
    });
  }

  /** Returns the authorizer over one store, which is created again after a reload. */
  #authorizerFor(stored: StoredAuthorizers): Authorizer {
    let reading = this.#reading;
    const metrics = createAuthorizerMetrics(stored.metrics);
    let inner = reading.make(stored, metrics);
    const current = (): Authorizer => {
      if (reading !== this.#reading) {
        reading = this.#reading;
        inner = reading.make(stored, metrics);
      }
      return inner;
    };
    return withPrivilegedGroup({
      authorize: (attributes, signal) => current().authorize(attributes, signal),
      rules: (user, namespace) => current().rules?.(user, namespace) ?? NO_RULES,
    });
  }
}

const NO_RULES = { resourceRules: [], nonResourceRules: [], incomplete: true, errors: [] };

function refuseModes(flags: ServeFlags): void {
  const other = Object.keys(flags).find((flag) => flag.startsWith('authorization-') && flag !== FILE);
  if (other !== undefined) throw new UsageError(`flag --${FILE} cannot be combined with --${other}`);
}

function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`flag --${FILE}: ${(error as Error).message}`);
  }
}

/** @throws Error if it is invalid */
const parsed = (text: string, vocabulary: Vocabulary): AuthorizationConfiguration =>
  parseAuthorizationConfiguration(text, { vocabulary, fileProblem });

function fileProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return `error loading file: stat ${path}: no such file or directory`;
  return found.isFile() ? undefined : 'must be a regular file';
}

const fixedTypesOf = ({ authorizers }: AuthorizationConfiguration): string =>
  authorizers
    .map(({ type }) => type)
    .filter((type) => type !== 'Webhook')
    .sort()
    .join();

/** @throws UsageError for a webhook that cannot be used */
function readingOf(
  configuration: AuthorizationConfiguration,
  dependencies: AuthorizationDependencies,
): Reading {
  const connections = new WebhookConnections(dependencies);
  try {
    return { make: unionOf(configuration, { ...dependencies, connections }), connections };
  } catch (error) {
    connections[Symbol.dispose]();
    throw error;
  }
}

function unionOf(
  { authorizers }: AuthorizationConfiguration,
  dependencies: AuthorizationWebhookOptions,
): MakeAuthorizer {
  const members = authorizers.map(({ type, name, webhook }): MakeAuthorizer => {
    const make = memberOf(type, webhook && configuredWebhook(webhook, name, dependencies));
    return (stored, metrics) => withDecisionMetrics(make(stored, metrics), { type, name, metrics });
  });
  return (stored, metrics) => createUnionAuthorizer(members.map((member) => member(stored, metrics)));
}

function memberOf(type: string, webhook: MakeWebhook | undefined): MakeAuthorizer {
  if (type === 'Node') return ({ node }) => node;
  return type === 'RBAC' || !webhook ? ({ rbac }) => rbac() : (_, metrics) => webhook(metrics);
}
